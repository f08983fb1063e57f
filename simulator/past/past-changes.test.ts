import { beforeAll, expect, it } from 'vitest'
import { NO_HEADROOM } from '@/lib/domain/fleet/stranded-reasons'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { heldThen } from './host-then'
import { makePast } from './make-past'
import type { PastChange } from './past-change'
import { makePastChanges } from './past-changes'
import { makePastFindings, type PastFinding } from './past-findings'

const END = new Date('2026-11-21T12:00:00Z')
const HOSTS = ['cmp-r2-05', 'cmp-r2-06', 'cmp-r2-08', 'cmp-r3-03', 'cmp-r4-02', 'cmp-r5-02', 'cmp-r6-01']
const CLOUD = { name: 'paris-prod', region: 'RegionOne' }

const fleet = demoFleet({ seed: 3, startAt: END }).filter(({ spec }) => HOSTS.includes(spec.name))
const past = makePast({ fleet, seed: 3, end: END })
const world = { past, fleet, cloud: CLOUD }
let changes: PastChange[] = []
let findings: PastFinding[] = []

beforeAll(async () => {
  changes = await makePastChanges(world)
  findings = await makePastFindings(world, changes)
}, 60_000)

const hostOf = (name: string) => past.hosts.find((host) => host.name === name) ?? expect.fail(name)
const ended = ({ doneAt }: PastChange): number => doneAt.at(-1) ?? Number.NaN
const kindOf = ({ input }: PastChange): string => input.kind

/** Moments at which a card had another type than before. */
const switches = past.hosts.flatMap(({ name, points }) => {
  const last = new Map<string, string | null>()
  return points.flatMap(({ at, address, typeId }) => {
    const before = last.get(address)
    last.set(address, typeId)
    return before === undefined || before === typeId ? [] : [{ host: name, address, at }]
  })
})

it('has a change for each card that was given another type, and no other', () => {
  const retyping = changes.filter(
    (change) => ['type', 'orphans'].includes(kindOf(change)) && change.stopped === null,
  )
  expect(switches.length).toBe(8)
  const found = switches.map(({ host, address, at }) => {
    const change = retyping.find(({ plan }) =>
      plan.targets.some((target) => target.host === host && target.address === address),
    )
    if (change === undefined) return expect.fail(`no change of ${host} ${address}`)
    expect(at).toBeGreaterThan(change.startedAt)
    expect(at).toBeLessThan(ended(change) + 60_000)
    const held = heldThen(hostOf(host), at).filter(({ addresses }) => addresses.includes(address))
    expect(held).toEqual([])
    return change
  })
  expect(new Set(found)).toEqual(new Set(retyping))
})

it('has one that waited for a server until it was reverted, and the server stayed', async () => {
  for (const seed of [1, 2]) {
    const fleet = demoFleet({ seed, startAt: END }).filter(({ spec }) => spec.name === 'cmp-r2-06')
    const past = makePast({ fleet, seed, end: END })
    const made = await makePastChanges({ past, fleet, cloud: CLOUD })
    const [change, ...others] = made.filter(({ stopped }) => stopped !== null)
    expect(others).toEqual([])
    const waiting = change?.plan.steps[change.doneAt.length]?.task
    if (change === undefined || waiting?.kind !== 'drain-server') return expect.fail('it waits for nothing')
    const held = past.hosts.flatMap((host) => heldThen(host, change.stopped?.backAt ?? 0))
    expect(held.map(({ uuid }) => uuid)).toContain(waiting.serverUuid)
    expect(change.stopped?.because).toContain(waiting.serverName)
  }
})

it('has a change before each limit that a round then found, by the values until then', () => {
  const requests = changes.flatMap(({ input, doneAt }) =>
    input.kind === 'limits'
      ? input.limits.map(({ projectId, value }) => ({ projectId, value, at: doneAt.at(-1) ?? 0 }))
      : [],
  )
  const limits = past.limits.map(({ projectId, value }) => ({ projectId, value }))
  expect(requests.map(({ projectId, value }) => ({ projectId, value }))).toEqual(limits)
  for (const [index, { at }] of past.limits.entries()) {
    expect(requests[index]?.at).toBeLessThan(at)
    expect(requests[index]?.at).toBeGreaterThan(at - 60_000)
  }
})

it('is planned, approved by another person and done in that order, on working days', () => {
  expect(new Set(changes.map(({ by }) => by)).size).toBe(2)
  for (const { by, approval, plannedAt, startedAt, doneAt, plan, stopped } of changes) {
    expect(approval?.by).not.toBe(by)
    const order = [plannedAt, ...(approval === null ? [] : [approval.at]), startedAt, ...doneAt]
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(doneAt.length).toBe(stopped === null ? plan.steps.length : doneAt.length)
    expect(plan.refusals).toEqual([])
    const weekday = new Date(startedAt).getUTCDay()
    expect([1, 2, 3, 4]).toContain(weekday)
  }
  const ends = changes.map((change) => change.stopped?.backAt ?? ended(change))
  expect(changes.filter(({ startedAt }, index) => startedAt <= (ends[index - 1] ?? 0))).toEqual([])
})

it('finds silent hosts in their gaps, what was left behind, and disabled hosts during a change', () => {
  const of = (code: string) => findings.filter(({ finding }) => finding.code === code)
  const gaps = past.hosts.flatMap(({ watches }) =>
    watches.slice(1).filter(({ since }, index) => since - (watches[index]?.until ?? since) > 120_000),
  )
  expect(
    of('host-silent')
      .map(({ closedAt }) => closedAt)
      .toSorted(),
  ).toEqual(gaps.map(({ since }) => since + 30_000).toSorted())
  const left = of('orphan-mdevs').filter(({ finding }) => finding.key.includes('cmp-r3-03'))
  expect(left.map(({ finding }) => finding.sentence)).toEqual(
    Array(2).fill('2 orphaned mdevs lock the GPU to M10-2Q'),
  )
  const removal = changes.find((change) => kindOf(change) === 'orphans')
  for (const { openedAt, closedAt, acknowledged } of left) {
    expect(openedAt).toBeLessThan(removal?.plannedAt ?? 0)
    expect(closedAt).toBeGreaterThan(removal?.startedAt ?? 0)
    expect(acknowledged?.at).toBeLessThan(removal?.plannedAt ?? 0)
  }
  const closed = of('vgpus-stranded').filter(({ finding }) => finding.sentence.includes('Sliceboard: '))
  expect(closed.length).toBe(4)
  const full = of('vgpus-stranded').filter(({ closedAt }) => closedAt === null)
  expect(new Set(full.map(({ finding }) => finding.sentence.split(': ')[1]))).toEqual(new Set([NO_HEADROOM]))
  for (const { openedAt, closedAt } of findings) expect(closedAt ?? past.end).toBeGreaterThan(openedAt)
})

it('gives the same again, and is not there in a past that is too short', async () => {
  expect(await makePastChanges(world)).toEqual(changes)
  expect(await makePastFindings(world, changes)).toEqual(findings)
  const short = { ...world, past: makePast({ fleet, seed: 3, end: END, days: 10 }) }
  expect((await makePastChanges(short)).filter((change) => kindOf(change) !== 'limits')).toEqual([])
})
