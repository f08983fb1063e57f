import path from 'node:path'
import { expect, it } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { describeHost } from '@/lib/domain/host/describe-host'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { makePast } from './make-past'
import { presentHost } from './present-host'
import type { HostPast } from './types'

const END = new Date('2026-11-21T12:00:00Z')
const FLEET = demoFleet({ seed: 3, startAt: END })
const HOUR = 3_600_000

const make = (names: readonly string[], days = 40) =>
  makePast({ fleet: FLEET.filter(({ spec }) => names.includes(spec.name)), seed: 3, end: END, days })

it('makes the same past from the same seed, independent of other hosts', () => {
  const [one, again] = [make(['cmp-r2-07', 'cmp-r4-01']), make(['cmp-r2-07', 'cmp-r4-01'])]
  expect(again).toEqual(one)
  const fleet = FLEET.filter(({ spec }) => spec.name === 'cmp-r4-01')
  expect(makePast({ fleet, seed: 4, end: END, days: 40 }).hosts).not.toEqual(one.hosts.slice(1))
})

/** What a host's rows say is held of each card after all that came until `at`. */
const heldAt = ({ holdings }: HostPast, at: number): Map<string, number> => {
  const held = new Map(holdings.filter((row) => row.at <= at).map(({ uuid, addresses }) => [uuid, addresses]))
  const counts = new Map<string, number>()
  for (const address of [...held.values()].flat()) counts.set(address, (counts.get(address) ?? 0) + 1)
  return counts
}

it('never uses more than there is, and counts what guests hold', () => {
  const { hosts, begin, end } = make(['cmp-r1-01', 'cmp-r2-07', 'cmp-r3-02', 'cmp-r5-01', 'cmp-r6-01'], 230)
  for (const host of hosts) {
    const card = new Map<string, (typeof host.points)[number]>()
    for (const [index, point] of host.points.entries()) {
      const { at, capacity, used, spare, orphan } = point
      const taken = (used ?? 0) + (spare ?? 0) + (orphan ?? 0)
      expect(Math.min(used ?? 0, spare ?? 0, orphan ?? 0)).toBeGreaterThanOrEqual(0)
      if (capacity !== null) expect(taken).toBeLessThanOrEqual(capacity)
      expect(at).toBeGreaterThanOrEqual(Math.max(begin, host.points[index - 1]?.at ?? begin))
      expect(at).toBeLessThanOrEqual(end)
      card.set(point.address, point)
      if (host.points[index + 1]?.at === at || index % 25 !== 0) continue
      const held = heldAt(host, at)
      for (const [address, last] of card)
        expect([address, last.used]).toEqual([address, held.get(address) ?? 0])
    }
  }
})

it('has weekdays and nights, growth, another type before, hosts that came later and times without an agent', () => {
  const { hosts, refusals, begin, end } = makePast({ fleet: FLEET, seed: 3, end: END })
  const host = (name: string) => hosts.find((entry) => entry.name === name) ?? expect.fail(name)
  const usedAt = (name: string, at: number) => [...heldAt(host(name), at).values()].reduce((a, b) => a + b, 0)
  const [tuesday, sunday] = [Date.parse('2026-11-10T10:00Z'), Date.parse('2026-11-08T10:00Z')]
  expect(usedAt('cmp-r1-02', tuesday)).toBeGreaterThan(usedAt('cmp-r1-02', sunday) + 5)
  expect(usedAt('cmp-r5-03', Date.parse('2026-09-09T01:00Z'))).toBeGreaterThan(
    usedAt('cmp-r5-03', Date.parse('2026-09-09T11:00Z')),
  )
  expect(usedAt('cmp-r1-02', begin + 40 * HOUR)).toBeLessThan(0.8 * usedAt('cmp-r1-02', sunday))
  expect(new Set(host('cmp-r2-05').points.map(({ typeName }) => typeName))).toEqual(
    new Set(['T4-8C', 'T4-4C']),
  )
  expect(host('cmp-r6-05').points[0]?.at).toBe(end - 117 * 24 * HOUR)
  const { watches, points } = host('cmp-r4-02')
  const pauses = watches.slice(1).map(({ since }, index) => [watches[index]?.until ?? 0, since] as const)
  const gaps = pauses.filter(([from, until]) => until - from > HOUR)
  expect(gaps.length).toBeGreaterThan(2)
  expect(points.some(({ at }) => gaps.some(([from, until]) => at > from && at < until))).toBe(false)
  expect(refusals.length).toBeGreaterThan(20)
  expect(new Set(refusals.map(({ message }) => message.slice(0, 7))).size).toBe(3)
})

it('ends in what the agents then report', async () => {
  const names = [
    'cmp-r2-07',
    'cmp-r4-05',
    'cmp-r5-01',
    'cmp-r5-03',
    'cmp-r6-02',
    'cmp-r6-04',
    'cmp-r7-02',
    'cmp-r7-03',
    'cmp-r7-04',
  ]
  const { hosts } = make(names)
  const directory = makeTemporaryDirectory('past')
  try {
    for (const host of FLEET.filter(({ spec }) => names.includes(spec.name))) {
      const { name } = host.spec
      const root = path.join(directory, name)
      writeHostTree(root, host.spec)
      const { pgpus, guests } = describeHost(await scanHost({ root, hostName: name }))
      const past = hosts.find((entry) => entry.name === name)
      const last = new Map(past?.points.map((point) => [point.address, point]))
      for (const { address, model, framework, currentType, numbers } of pgpus) {
        const recorded = [
          name,
          address,
          model,
          framework,
          currentType?.typeId ?? null,
          currentType?.shortName ?? null,
        ]
        const counts = [numbers.capacity, numbers.used, numbers.spare, numbers.orphan].map(
          ({ value }) => value,
        )
        const point = last.get(address)
        expect([
          ...[name, point?.address, point?.model, point?.framework, point?.typeId, point?.typeName],
          ...[point?.capacity, point?.used, point?.spare, point?.orphan],
        ]).toEqual([...recorded, ...counts])
      }
      expect(last.size).toBe(pgpus.length)
      const holding = (guests ?? []).filter(({ holdings }) => (holdings ?? []).length > 0)
      expect(
        new Map(past?.held.map(({ uuid, addresses, typeIds }) => [uuid, { addresses, typeIds }])),
      ).toEqual(
        new Map(
          holding.map(({ guestUuid, holdings }) => [
            guestUuid,
            {
              addresses: holdings?.map(({ pgpuAddress }) => pgpuAddress),
              typeIds: holdings?.map(({ typeId }) => typeId ?? ''),
            },
          ]),
        ),
      )
      expect(presentHost(host).cards).toHaveLength(pgpus.length)
    }
  } finally {
    removeTree(directory)
  }
}, 120_000)
