import { expect, it } from 'vitest'
import { createSlowClock, DEFAULT_AGES, QUIET_REQUESTS, type SlowPart } from './slow-parts'

/** The age in seconds from which detectors do not use a value. */
const TOO_OLD = 180
const ROUND_SECONDS = 30

/** The greatest age of each part in rounds that have spent so many requests before it. */
const maxAges = (parts: readonly SlowPart[], spent: number): number[] => {
  const clock = createSlowClock(DEFAULT_AGES)
  const readAt = parts.map(() => 0)
  const max = parts.map(() => 0)
  for (let second = 0; second < 3600; second += ROUND_SECONDS)
    for (const [index, part] of parts.entries()) {
      const round = { now: new Date(second * 1000), spent: () => spent }
      if (clock.isDue(part, round)) {
        clock.done(part, round.now)
        readAt[index] = second
      }
      max[index] = Math.max(max[index] ?? 0, second - (readAt[index] ?? 0))
    }
  return max
}

it('reads what detectors need before it is too old, also where rounds never have room', () => {
  const parts = ['hypervisors', 'flavors', 'aggregates', 'limits'] as const
  for (const age of maxAges(parts, 5 * QUIET_REQUESTS))
    expect(age).toBeLessThanOrEqual(TOO_OLD - ROUND_SECONDS)
  for (const age of maxAges(parts, 0)) expect(age).toBeLessThanOrEqual(TOO_OLD - ROUND_SECONDS)
})

it('reads what changes rarely no more often, and what is edited manually as soon as a round has room', () => {
  expect(maxAges(['projects', 'flavors'], 5 * QUIET_REQUESTS)).toEqual([870, 90])
  expect(maxAges(['projects', 'flavors'], 0)).toEqual([870, 0])
})
