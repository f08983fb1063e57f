import { expect, test, vi } from 'vitest'
import { pollIntervalMs, pollWhileMoving } from './poll-interval'

const pace = { fastMs: 2000, slowMs: 10_000 }

test('data that changed within the last minute is requested fast, then slowly', () => {
  const data = {}
  expect(pollIntervalMs({ data, now: 0, ...pace })).toBe(2000)
  expect(pollIntervalMs({ data, now: 59_999, ...pace })).toBe(2000)
  expect(pollIntervalMs({ data, now: 60_000, ...pace })).toBe(10_000)
  expect(pollIntervalMs({ data: {}, now: 60_000, ...pace })).toBe(2000)
})

test('before the first answer and after an error the pace is slow', () => {
  const poll = pollWhileMoving<object>(pace)
  expect(poll({ state: { data: undefined, error: null } })).toBe(10_000)
  expect(poll({ state: { data: {}, error: new Error('unreachable') } })).toBe(10_000)
})

test('the pace may depend on the size of the answer', () => {
  vi.useFakeTimers({ now: 0 })
  const poll = pollWhileMoving<number[]>((rows) =>
    rows.length > 2 ? { fastMs: 10_000, slowMs: 20_000 } : pace,
  )
  expect(poll({ state: { data: [1], error: null } })).toBe(2000)
  expect(poll({ state: { data: [1, 2, 3], error: null } })).toBe(10_000)
  vi.useRealTimers()
})
