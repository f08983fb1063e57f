import { expect, test } from 'vitest'
import { emptySlot, type Figure, type Slot } from '../history/figures'
import { DAY_MS } from '../history/series'
import { dailySeries } from './daily-series'

const figure = (value: number, knownMs = DAY_MS): Figure => ({
  knownMs,
  integral: value * knownMs,
  min: value,
  max: value,
})
const day = (used: number, words: Partial<Slot> = {}): Slot => ({
  ...emptySlot({ knownMs: DAY_MS, isHeld: false }),
  used: figure(used),
  capacity: figure(12),
  ...words,
})
const fleet = [day(5), day(5), null, day(5), day(5)]

test('a series begins with the first capacity; a day without data is a gap, and no member is 0', () => {
  const slots = [null, day(4), null, day(6), null]
  expect(dailySeries({ slots, fleet, firstDay: 100 })).toEqual({
    firstDay: 101,
    peaks: [4, null, 6, 0],
    capacity: [12, null, 12, 0],
  })
})

test('a day with long gaps in its data is unknown', () => {
  const slots = [
    day(4),
    day(3, { unseen: figure(2) }),
    day(3, { unseen: figure(1) }),
    day(2, { knownMs: DAY_MS / 3 }),
  ]
  expect(dailySeries({ slots, fleet, firstDay: 100 }).peaks).toEqual([4, null, 3, null])
})

test('a group that never had a vGPU has no series', () => {
  expect(dailySeries({ slots: [null, null], fleet, firstDay: 100 })).toEqual({
    firstDay: 100,
    peaks: [],
    capacity: [],
  })
})
