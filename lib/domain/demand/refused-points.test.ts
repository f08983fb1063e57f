import { expect, test } from 'vitest'
import { refusedPoints, refusedStepMs } from './refused-points'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const BEGIN = Date.UTC(2026, 9, 1)

test('a week is counted by six hours, a quarter by days and a year by weeks', () => {
  const stepOf = (days: number) => refusedStepMs({ from: BEGIN, until: BEGIN + days * DAY })
  expect([7, 90, 365].map(stepOf)).toEqual([6 * HOUR, DAY, 7 * DAY])
})

test('each server counts in the step that it was requested in, and a step without any is 0', () => {
  const range = { from: BEGIN + HOUR, until: BEGIN + 2 * DAY + HOUR, stepMs: DAY, firstKnown: BEGIN }
  const counts = [
    { at: BEGIN, reason: 'no-valid-host', servers: 2 },
    { at: BEGIN, reason: 'over-limit', servers: 1 },
    { at: BEGIN + 2 * DAY, reason: 'build-failed', servers: 3 },
  ] as const
  expect(refusedPoints(counts, range)).toEqual([
    { at: BEGIN, servers: { 'no-valid-host': 2, 'over-limit': 1, 'build-failed': 0 } },
    { at: BEGIN + DAY, servers: { 'no-valid-host': 0, 'over-limit': 0, 'build-failed': 0 } },
    { at: BEGIN + 2 * DAY, servers: { 'no-valid-host': 0, 'over-limit': 0, 'build-failed': 3 } },
  ])
})

test('a time before the history is no point, unless Nova still had a server from it', () => {
  const range = { from: BEGIN, until: BEGIN + 4 * DAY, stepMs: DAY }
  expect(refusedPoints([], { ...range, firstKnown: BEGIN + 2 * DAY }).map(({ at }) => at)).toEqual([
    BEGIN + 2 * DAY,
    BEGIN + 3 * DAY,
  ])
  for (const firstKnown of [BEGIN + 9 * DAY, null])
    expect(refusedPoints([], { ...range, firstKnown })).toEqual([])
  const old = { at: BEGIN + DAY, reason: 'over-limit', servers: 1 } as const
  expect(refusedPoints([old], { ...range, firstKnown: BEGIN + 2 * DAY })[0]).toMatchObject({
    at: old.at,
    servers: { 'over-limit': 1 },
  })
})
