import { expect, test } from 'vitest'
import { createRateLimit } from './rate-limit'

test('a burst is let through, then so many a second, each key for itself', () => {
  let nowMs = 0
  const limit = createRateLimit({ burst: 3, perSecond: 2, nowMs: () => nowMs })
  expect([1, 1, 1, 1].map((key) => limit.take(key))).toEqual([0, 0, 0, 1])
  expect(limit.take(2)).toBe(0)
  nowMs = 500
  expect([1, 1].map((key) => limit.take(key))).toEqual([0, 1])
  nowMs = 60_000
  expect([1, 1, 1, 1].map((key) => limit.take(key))).toEqual([0, 0, 0, 1])
})

test('it states how long to wait', () => {
  const limit = createRateLimit({ burst: 1, perSecond: 0.1, nowMs: () => 0 })
  limit.take(1)
  expect(limit.take(1)).toBe(10)
})

test('it forgets rather than grow without bound', () => {
  const limit = createRateLimit({ burst: 1, perSecond: 1, nowMs: () => 0, maxKeys: 2 })
  expect([1, 2, 1, 3, 1].map((key) => limit.take(key))).toEqual([0, 0, 0, 0, 0])
})

test('it takes many at once, or none of them', () => {
  let nowMs = 0
  const limit = createRateLimit({ burst: 10, perSecond: 2, nowMs: () => nowMs })
  expect([limit.take(1, 8), limit.take(1, 8), limit.take(1, 2)]).toEqual([0, 3, 0])
  nowMs = 4000
  expect(limit.take(1, 8)).toBe(0)
})
