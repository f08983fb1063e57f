import { expect, it } from 'vitest'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { continuePast, makePast } from './make-past'
import type { Past, PastPoint } from './types'

const END = new Date('2026-11-21T12:00:00Z')
const DAY = 86_400_000
const fleet = demoFleet({ seed: 3, startAt: END })
const past = makePast({ fleet, seed: 3, end: END })

const flavorOf = ({ typeId, typeName }: PastPoint): string | null =>
  typeId === null ? null : `vgpu.${(typeName ?? typeId).toLowerCase()}`

/** The rows that the console is given, played to one moment after the other. */
const play = ({ hosts }: Past) => {
  const byTime = <Row extends { at: number }>(rows: Row[]): Row[] => rows.toSorted((a, b) => a.at - b.at)
  const points = byTime(hosts.flatMap(({ name, points }) => points.map((point) => ({ ...point, name }))))
  const vfs = new Set(
    hosts.flatMap(({ name, points }) =>
      points
        .filter(({ framework }) => framework === 'vendor-vfio')
        .map(({ address }) => `${name} ${address}`),
    ),
  )
  const holdings = byTime(hosts.flatMap((host) => host.holdings.map((row) => ({ ...row, name: host.name }))))
  const cards = new Map<string, PastPoint>()
  const held = new Map<string, number>()
  const used = new Map<string | null, number>()
  const next = { point: 0, holding: 0 }
  return {
    to: (at: number): void => {
      for (let row = points[next.point]; row !== undefined && row.at <= at; row = points[++next.point])
        cards.set(`${row.name} ${row.address}`, row)
      for (
        let row = holdings[next.holding];
        row !== undefined && row.at <= at;
        row = holdings[++next.holding]
      ) {
        const isVf = row.addresses.map((address) => vfs.has(`${row.name} ${address}`))
        const count = row.typeIds.filter((id, index) => id !== '' && isVf[index] === false).length
        used.set(row.projectId, (used.get(row.projectId) ?? 0) + count - (held.get(row.uuid) ?? 0))
        held.set(row.uuid, count)
      }
    },
    cards: () => [...cards.values()],
    /** What a limit on vGPUs counts of a project: VFs with a driver of the vendor's own are PCI devices. */
    held: (projectId: string): number => used.get(projectId) ?? 0,
  }
}

const limitAt = ({ limits }: Past, { projectId, at }: { projectId: string; at: number }): number | null =>
  limits.findLast((limit) => limit.projectId === projectId && limit.at <= at)?.value ?? null

const OVER = /^Project (\w+) is over a limit for \[Resource class:VGPU is over limit of (\d+) due to/
const NONE_FREE = /^(No valid host was found|Exceeded maximum number of retries)/

/** What of the refusals can't have been, and why. */
const objections = (checked: Past): string[] => {
  const story = play(checked)
  return checked.refusals.flatMap(({ at, message, flavorName, projectId }) => {
    story.to(at)
    const [used, limit] = [story.held(projectId), limitAt(checked, { projectId, at })]
    const cards = story.cards().filter((card) => flavorOf(card) === flavorName)
    const isAtLimit = used === limit && cards.some(({ framework }) => framework !== 'vendor-vfio')
    const over = OVER.exec(message)
    if (over !== null)
      return over[1] === projectId && Number(over[2]) === limit && isAtLimit
        ? []
        : [`${projectId} held ${used} of ${limit}, requested ${flavorName}: ${message}`]
    if (!NONE_FREE.test(message)) return [message]
    if (isAtLimit) return [`Nova would have reported the limit of ${limit} of ${projectId} first`]
    const free = cards.filter(({ creatable, spare }) => creatable !== 0 || spare !== 0)
    return cards.length > 0 && free.length === 0
      ? []
      : [`${flavorName} at ${new Date(at).toISOString()}: ${free.length} of ${cards.length} had some free`]
  })
}

it('refuses servers all year, and only where nothing of the type was free or the project was at its limit', () => {
  expect(objections(past)).toEqual([])
  const months = new Map<number, number>()
  for (const { at } of past.refusals) {
    const month = Math.floor((at - past.begin) / (30.5 * DAY))
    months.set(month, (months.get(month) ?? 0) + 1)
  }
  const counts = Array.from({ length: 12 }, (_, month) => months.get(month) ?? 0)
  // Now and then: every few days, and more where the fleet fills up.
  for (const count of counts) {
    expect(count).toBeGreaterThan(5)
    expect(count).toBeLessThan(120)
  }
  const times = past.refusals.map(({ at }) => at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.every((at) => at >= past.begin && at < past.end)).toBe(true)
  const longest = Math.max(...times.map((at, index) => at - (times[index - 1] ?? past.begin)))
  expect(longest).toBeLessThan(16 * DAY)
})

it('has all three reasons, of many flavors and projects', () => {
  expect(new Set(past.refusals.map(({ message }) => message.slice(0, 7)))).toEqual(
    new Set(['No vali', 'Project', 'Exceede']),
  )
  expect(new Set(past.refusals.map(({ flavorName }) => flavorName)).size).toBeGreaterThan(10)
  expect(new Set(past.refusals.map(({ projectId }) => projectId)).size).toBeGreaterThan(5)
  const over = past.refusals.filter(({ message }) => OVER.test(message))
  expect(new Set(over.map(({ projectId }) => projectId)).size).toBeGreaterThan(2)
})

it('never lets a project hold more than its limit, which only grows', () => {
  const story = play(past)
  const before = new Map<string, number>()
  const times = past.hosts.flatMap(({ holdings }) => holdings.map(({ at }) => at))
  for (const at of [...new Set([...times, ...past.limits.map((limit) => limit.at)])].toSorted(
    (a, b) => a - b,
  )) {
    story.to(at)
    for (const { projectId, value, used } of past.limits.filter((limit) => limit.at === at)) {
      expect(value).toBeGreaterThan(before.get(projectId) ?? 0)
      expect(used).toBe(story.held(projectId))
      before.set(projectId, value)
    }
    for (const [projectId, limit] of before)
      if (story.held(projectId) > limit) expect.fail(`${projectId} holds more than ${limit}`)
  }
  expect(before.size).toBeGreaterThan(5)
})

it('continues with refusals where nothing of the type is free', () => {
  const end = new Date(END.getTime() + 6 * DAY)
  const sequel = continuePast({ fleet, seed: 3, begin: END, end })
  expect(continuePast({ fleet, seed: 3, begin: END, end }).refusals).toEqual(sequel.refusals)
  const both = {
    ...sequel,
    hosts: past.hosts.map((host, index) => ({
      ...host,
      points: [...host.points, ...(sequel.hosts[index]?.points ?? [])],
    })),
  }
  expect(sequel.refusals.length).toBeGreaterThan(0)
  expect(objections(both)).toEqual([])
})

it('is the same again of the same seed', () => {
  const again = makePast({ fleet, seed: 3, end: END })
  expect(again.refusals).toEqual(past.refusals)
  expect(again.limits).toEqual(past.limits)
})
