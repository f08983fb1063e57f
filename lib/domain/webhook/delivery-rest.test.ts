import { expect, test } from 'vitest'
import { deliveryRestMs, GIVE_UP_AFTER_MS, isGivenUp } from './delivery-rest'

const rest = (tries: number, random: number, retryAfterSeconds: number | null = null) =>
  deliveryRestMs({ tries, retryAfterSeconds, random })

test('the rest doubles up to an hour, and its second half is chance', () => {
  expect([1, 2, 3, 9, 10, 500].map((tries) => rest(tries, 0))).toEqual([
    5000, 10_000, 20_000, 1_280_000, 1_800_000, 1_800_000,
  ])
  expect([1, 10, 500].map((tries) => rest(tries, 1))).toEqual([10_000, 3_600_000, 3_600_000])
})

test('a longer Retry-After is obeyed, a shorter one does not hurry, and none is longer than a day', () => {
  expect(rest(1, 0, 120)).toBe(120_000)
  expect(rest(10, 0, 1)).toBe(1_800_000)
  expect(rest(1, 0, 999_999_999)).toBe(GIVE_UP_AFTER_MS)
})

test('it is given up after a day, and sooner when the message itself is refused', () => {
  const given = { tries: 30, waitedMs: GIVE_UP_AFTER_MS - 1000, restMs: 1000, status: 503 }
  expect(isGivenUp(given)).toBe(false)
  expect(isGivenUp({ ...given, restMs: 1001 })).toBe(true)
  expect(isGivenUp({ tries: 4, waitedMs: 0, restMs: 1, status: 400 })).toBe(false)
  expect(isGivenUp({ tries: 5, waitedMs: 0, restMs: 1, status: 400 })).toBe(true)
  expect(isGivenUp({ tries: 5, waitedMs: 0, restMs: 1, status: 404 })).toBe(false)
})
