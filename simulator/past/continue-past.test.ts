import { expect, it } from 'vitest'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { continuePast, makePast } from './make-past'
import type { HostPast, PastPoint } from './types'

const HOUR = 3_600_000
const BEGIN = new Date('2026-10-23T16:20:00Z')
const HOSTS = ['cmp-r1-02', 'cmp-r2-07', 'cmp-r2-08', 'cmp-r4-01', 'cmp-r7-03']
const fleet = demoFleet({ seed: 3, startAt: BEGIN }).filter(({ spec }) => HOSTS.includes(spec.name))
const before = makePast({ fleet, seed: 3, end: BEGIN, days: 70 })
const after = (hours: number) =>
  continuePast({ fleet, seed: 3, begin: BEGIN, end: new Date(BEGIN.getTime() + hours * HOUR) })

const lastOf = (points: readonly PastPoint[]) =>
  Object.fromEntries(points.map(({ at: _, ...point }) => [point.address, point]))
const heldAfter = (held: readonly string[], { holdings }: HostPast) => {
  const uuids = new Set(held)
  for (const { uuid, addresses } of holdings)
    if (addresses.length > 0) {
      expect(uuids).not.toContain(uuid)
      uuids.add(uuid)
    } else expect(uuids.delete(uuid)).toBe(true)
  return [...uuids].toSorted()
}

it.each([1, 30, 166])(
  'continues for %i hours, across a change of summer time, to the state before',
  (hours) => {
    const sequel = after(hours)
    expect(after(hours)).toEqual(sequel)
    for (const [index, host] of sequel.hosts.entries()) {
      const earlier = before.hosts[index] ?? expect.fail(host.name)
      expect(host.watches).toEqual([{ since: sequel.begin, until: sequel.end }])
      for (const { at } of [...host.points, ...host.holdings, ...host.words]) {
        expect(at).toBeGreaterThan(sequel.begin)
        expect(at).toBeLessThanOrEqual(sequel.end)
      }
      const end = lastOf(earlier.points)
      expect({ ...end, ...lastOf(host.points) }).toEqual(end)
      const held = earlier.held.map(({ uuid }) => uuid).toSorted()
      expect(heldAfter(held, host)).toEqual(held)
      expect(host.held.map(({ uuid }) => uuid).toSorted()).toEqual(held)
    }
  },
)

it('has the days of the hosts in it, and nothing twice', () => {
  const sequel = after(166)
  const changesOf = (past: typeof sequel) => past.hosts.map(({ points }) => points.length)
  const weeks = changesOf(before).map((count) => count / 10)
  for (const [index, count] of changesOf(sequel).entries())
    expect(Math.abs(count - (weeks[index] ?? 0))).toBeLessThan(20 + (weeks[index] ?? 0) * 0.6)
  const known = new Set(before.hosts.flatMap(({ holdings }) => holdings.map(({ uuid }) => uuid)))
  const now = new Set(sequel.hosts.flatMap(({ held }) => held.map(({ uuid }) => uuid)))
  const come = sequel.hosts.flatMap(({ holdings }) => holdings).filter(({ uuid }) => !now.has(uuid))
  expect(come.length).toBeGreaterThan(100)
  expect(come.filter(({ uuid }) => known.has(uuid))).toEqual([])
})
