import { expect, test } from 'vitest'
import type { Unconfirmed } from './confirm'
import type { Evidence, EvidenceSource } from './finding'
import { confirmableAt, planRound } from './next-round'

const START_MS = Date.parse('2026-11-21T14:00:00.000Z')
const at = (second: number): string => new Date(START_MS + second * 1000).toISOString()
const evidenceOf = (source: EvidenceSource, second: number | null): Evidence => ({
  source,
  reported: 'something',
  at: second === null ? null : at(second),
})

/** In seconds after the start, with agents that speak every 30 s; `since`, too. */
const confirmable = (waiting: { since: number; evidence: Evidence[] }[], now: number): number[] => {
  const unconfirmed: Unconfirmed = new Map(
    waiting.map(({ since, evidence }, index) => [`finding-${index}`, { since: at(since), evidence }]),
  )
  const input = { unconfirmed, heartbeatMs: 30_000, nowMs: START_MS + now * 1000 }
  return confirmableAt(input).map((ms) => (ms - START_MS) / 1000)
}

test('a report can be confirmed two seconds after the next heartbeat of the last host', () => {
  const evidence = [evidenceOf('placement', 60), evidenceOf('libvirt', 45)]
  expect(confirmable([{ since: 60, evidence }], 60)).toEqual([77])
  const both = [...evidence, evidenceOf('hardware', 52), evidenceOf('nova.conf', null)]
  expect(confirmable([{ since: 60, evidence: both }], 60)).toEqual([84])
})

test('a finding that can be confirmed immediately waits ten seconds', () => {
  expect(
    confirmable([{ since: 60, evidence: [evidenceOf('placement', 60), evidenceOf('nova', 60)] }], 60),
  ).toEqual([70])
  expect(confirmable([{ since: 60, evidence: [evidenceOf('libvirt', 31)] }], 60)).toEqual([70])
})

test('a host that has reported since is not awaited again', () => {
  const evidence = [evidenceOf('placement', 60), evidenceOf('libvirt', 62), evidenceOf('agent', 58)]
  expect(confirmable([{ since: 60, evidence }], 75)).toEqual([90])
})

test('a late host is not awaited', () => {
  const silent = { since: 60, evidence: [evidenceOf('placement', 60), evidenceOf('libvirt', 20)] }
  expect(confirmable([silent], 70)).toEqual([])
  const just = { since: 60, evidence: [evidenceOf('placement', 60), evidenceOf('libvirt', 58)] }
  expect(confirmable([just], 89)).toEqual([90])
  expect(confirmable([just], 90)).toEqual([])
})

const plan = (confirmableInMs: number[], { tookMs = 500, ordinaryInMs = 29_500 } = {}) =>
  planRound({ intervalMs: 30_000, tookMs, ordinaryInMs, confirmableInMs })

test('nothing that waits costs nothing', () => {
  expect(plan([])).toBeNull()
})

test('one round confirms as much as can be confirmed before the next ordinary one', () => {
  expect(plan([12_000])).toBe(12_000)
  expect(plan([12_000, 27_000, 31_000])).toBe(27_000)
})

test('what the next ordinary round confirms as soon takes no other one', () => {
  expect(plan([29_000])).toBe(29_000)
  expect(plan([29_001])).toBeNull()
})

test('a round that takes more than a quarter of its interval is the only one in it', () => {
  expect(plan([12_000], { tookMs: 7500, ordinaryInMs: 22_500 })).toBe(12_000)
  expect(plan([12_000], { tookMs: 7501, ordinaryInMs: 22_499 })).toBeNull()
})
