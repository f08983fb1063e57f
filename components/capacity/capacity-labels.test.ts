import { expect, test } from 'vitest'
import { growthNote, lastDayOf } from './capacity-labels'

test('what ends with a day has that day as its last', () => {
  expect(lastDayOf('2026-11-23T00:00:00.000Z')).toBe('2026-11-22')
  expect(lastDayOf('2026-11-22T18:00:00.000Z')).toBe('2026-11-22')
})

test('growth names the period that it is compared with, or states that there is not enough history', () => {
  const later = { from: '2026-11-19T00:00:00.000Z', until: '2026-11-26T00:00:00.000Z' }
  const week = { from: '2026-10-29T00:00:00.000Z', until: '2026-11-05T00:00:00.000Z' }
  const day = { from: '2026-11-18T00:00:00.000Z', until: '2026-11-19T00:00:00.000Z' }
  expect(growthNote(12.4, { earlier: week, later })).toBe('+12 compared with the 7 days from 2026-10-29')
  expect(growthNote(-3, { earlier: day, later: day })).toBe('-3 compared with 2026-11-18')
  expect(growthNote(null, { earlier: week, later })).toBe('Change: not enough history')
  expect(growthNote(1, null)).toBe('Change: not enough history')
})
