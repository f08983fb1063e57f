import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Unconfirmed } from '@/lib/domain/findings/confirm'
import type { Query } from '@/lib/server/database/database'

import { startCloudReading } from './start-cloud-readings'

const START = new Date('2026-11-21T14:00:00.000Z')
const INTERVAL_MS = 30_000

beforeEach(() => {
  vi.useFakeTimers({ now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

/** What `HOLD` of the lease returns: it is ours. */
const asRows = <Row>(rows: object[]): Row[] => rows as Row[]
const query: Query = async () => asRows([{ name: 'lease' }])

const NONE: Unconfirmed = new Map()
/** A finding whose evidence includes a host's report of `secondsAgo`. */
const waiting = (secondsAgo: number): Unconfirmed => {
  const now = Date.now()
  const at = new Date(now - secondsAgo * 1000).toISOString()
  const since = new Date(now).toISOString()
  return new Map([['finding', { since, evidence: [{ source: 'libvirt', reported: 'something', at }] }]])
}

/** The seconds after the start at which rounds began, for two minutes; each takes `tookMs`. */
const roundsOf = async (
  found: (round: number) => Unconfirmed,
  { tookMs = 0, unfinished = 0 } = {},
): Promise<number[]> => {
  const begun: number[] = []
  const readRound = async () => {
    begun.push((Date.now() - START.getTime()) / 1000)
    const round = begun.length
    if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs))
    return {
      roundNumber: round,
      openFindings: 0,
      unconfirmed: found(round),
      isUnfinished: round <= unfinished,
    }
  }
  const { stop } = startCloudReading({
    database: { query },
    log: pino({ level: 'silent' }),
    now: () => new Date(),
    cloudName: 'test',
    reading: { readRound },
    intervalMs: INTERVAL_MS,
    heartbeatMs: 30_000,
  })
  await vi.advanceTimersByTimeAsync(119_000)
  const stopped = stop()
  await vi.advanceTimersByTimeAsync(60_000)
  await stopped
  return begun
}

test('rounds follow each other at their interval while nothing waits', async () => {
  expect(await roundsOf(() => NONE)).toEqual([0, 30, 60, 90])
})

test('what waits is read again once its host can have reported, and the rhythm stays', async () => {
  expect(await roundsOf((round) => (round === 2 ? waiting(12) : NONE))).toEqual([0, 30, 50, 60, 90])
})

test('what never comes to rest costs one round more in each interval and no second one', async () => {
  expect(await roundsOf(() => waiting(18))).toEqual([0, 14, 30, 44, 60, 74, 90, 104])
})

test('a host that fell silent is waited for once', async () => {
  const first = { value: NONE }
  const found = (round: number): Unconfirmed => {
    if (round === 1) first.value = waiting(12)
    return first.value
  }
  expect(await roundsOf(found)).toEqual([0, 20, 30, 60, 90])
})

test('rounds that take long come no more often', async () => {
  expect(await roundsOf(() => waiting(18), { tookMs: 8000 })).toEqual([0, 30, 60, 90])
})

test('a part that did not fit into a round is continued at once', async () => {
  expect(await roundsOf(() => NONE, { tookMs: 20_000, unfinished: 3 })).toEqual([0, 21, 42, 63, 93])
})

test('a round that stops is followed by the next at its time', async () => {
  const found = (round: number): Unconfirmed => {
    if (round === 2) throw new Error('the database is away')
    return round === 1 ? waiting(12) : NONE
  }
  expect(await roundsOf(found)).toEqual([0, 20, 30, 60, 90])
})
