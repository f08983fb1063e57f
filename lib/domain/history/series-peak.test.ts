import { expect, test } from 'vitest'
import { emptySlot, type Figure, type Slot } from './figures'
import { HOUR_MS } from './series'
import { seriesPeak } from './series-peak'
import { tableOf } from './slot-table'

const figure = (value: number): Figure => ({
  knownMs: HOUR_MS,
  integral: value * HOUR_MS,
  min: value,
  max: value,
})
const hour = (used: number, capacity: number): Slot => ({
  ...emptySlot({ knownMs: HOUR_MS, isHeld: false }),
  used: figure(used),
  capacity: figure(capacity),
})
const peakOf = (slots: (Slot | null)[], range = { begin: 0, end: slots.length }) =>
  seriesPeak(tableOf(slots), { fleet: tableOf(slots), isHeld: false, ...range })

test('the peak has the capacity of the same hour, even if the capacity changes later', () => {
  expect(peakOf([hour(10, 24), hour(23, 24), hour(12, 48), hour(12, 12)])).toEqual({
    used: 23,
    capacity: 24,
    index: 1,
  })
})

test('the first of equal peaks counts, and only those of the range', () => {
  expect(peakOf([hour(9, 12), hour(7, 12), hour(7, 20)], { begin: 1, end: 3 })).toEqual({
    used: 7,
    capacity: 12,
    index: 1,
  })
})

test('a range without data has no peak', () => {
  expect(peakOf([null, null])).toBeNull()
})
