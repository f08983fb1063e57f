import { expect, test } from 'vitest'
import { heldRange } from './capacity-tools'

const answer = {
  from: '2026-11-01T03:00:00.000Z',
  until: '2026-11-25T04:00:00.000Z',
  stepSeconds: 3600,
  watermark: '2026-11-25T03:12:40.000Z',
  firstKnownAt: '2025-11-25T00:00:00.000Z',
}

test('ends with the last point that is over', () => {
  expect(heldRange(answer).until).toBe('2026-11-25T03:00:00.000Z')
  expect(heldRange({ ...answer, stepSeconds: 86_400 }).until).toBe('2026-11-25T00:00:00.000Z')
})

test('stays as it is once it is over, and where the watermark is not known', () => {
  const past = { ...answer, until: '2026-11-20T00:00:00.000Z' }
  expect(heldRange(past)).toEqual({ from: past.from, until: past.until })
  expect(heldRange({ ...answer, watermark: null }).until).toBe(answer.until)
})

test('a history whose first point still runs is held with it', () => {
  expect(heldRange({ ...answer, firstKnownAt: '2026-11-25T03:01:00.000Z' }).until).toBe(answer.until)
})
