import { expect, test } from 'vitest'
import { emptySlot, type Slot } from './figures'
import { chooseStep, DAY_MS, HOUR_MS, seriesColumns } from './series'

const figure = (value: number, max = value) => ({
  knownMs: HOUR_MS,
  integral: value * HOUR_MS,
  min: value,
  max,
})
const slot = (used: number, peak = used): Slot => ({
  ...emptySlot({ knownMs: HOUR_MS, isHeld: false }),
  capacity: figure(12),
  used: figure(used, peak),
})

test('a peak of one hour survives in a point of many', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => slot(2, hour === 7 ? 11 : 2))
  const points = seriesColumns(hours, { fleet: hours, per: 12, isHeld: false })
  expect(points.used).toEqual([2, 2])
  expect(points.usedMax).toEqual([11, 2])
})

test('a gap stays one, and a group without members is 0 only while the fleet was known', () => {
  const fleet = [slot(2), null, slot(2), null]
  const points = seriesColumns([slot(1), null, null, null], { fleet, per: 1, isHeld: false })
  expect(points.used).toEqual([1, null, 0, null])
  expect(points.capacity).toEqual([12, null, 0, null])
})

test('the finest step with few enough points is taken, counted as they are drawn', () => {
  const stepsMs = [HOUR_MS, 3 * HOUR_MS, DAY_MS]
  const from = Date.UTC(2026, 0, 1, 0, 30)
  const within = (hours: number) => ({ from, until: from + hours * HOUR_MS })
  expect(chooseStep(within(9), { stepsMs, mostPoints: 10 })).toBe(HOUR_MS)
  expect(chooseStep(within(10), { stepsMs, mostPoints: 10 })).toBe(3 * HOUR_MS)
  expect(chooseStep(within(1000), { stepsMs, mostPoints: 10 })).toBe(DAY_MS)
})
