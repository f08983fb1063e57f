import { expect, test } from 'vitest'
import { expectedOn, fitTrends } from './fit-trend'
import { levelShifts, withoutShifts } from './level-shifts'
import { quantile, theilSen } from './robust'
import { FIRST_DAY } from './testing/generate-series'
import { weekPattern, weekPosition } from './week-pattern'

test('a quarter of outliers does not move the slope', () => {
  const line = Array.from({ length: 20 }, (_, index) => (index % 5 === 0 ? 500 : index * 2))
  expect(theilSen(line)).toBe(2)
  expect(theilSen([null, 4, null, 8])).toBe(2)
  expect(theilSen([1])).toBeNull()
})

test('quantiles lie between values by proportion', () => {
  expect(quantile([3, 1, 2], 0.5)).toBe(2)
  expect(quantile([0, 10], 0.8)).toBe(8)
  expect(quantile([], 0.5)).toBeNull()
})

test('the pattern distinguishes weekdays and sums to nothing', () => {
  const values = Array.from({ length: 35 }, (_, index) => (weekPosition(FIRST_DAY + index) === 2 ? 40 : 47))
  const pattern = weekPattern(values, FIRST_DAY)
  expect(pattern[2]).toBeCloseTo(-6)
  expect(pattern[3]).toBeCloseTo(1)
  expect(weekPattern(values.slice(0, 20), FIRST_DAY)).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('one shift is taken out, and growth by many steps is left', () => {
  expect(withoutShifts([10, 11, 12, 43, 44, 45])).toEqual([40, 41, 42, 43, 44, 45])
  expect(levelShifts([10, 11, 12, 43, 44, null, 45])).toEqual([{ at: 3, by: 30 }])
  const stairs = [10, 10, 20, 20, 30, 30, 40, 40, 50, 50]
  expect(withoutShifts(stairs)).toEqual(stairs)
})

test('a trend continues from the level of its last week', () => {
  const line = Array.from({ length: 91 }, (_, index) => 100 + index)
  const trends = fitTrends(line, FIRST_DAY) ?? []
  const quarter = trends.find(({ model }) => model === 'quarter')
  if (quarter === undefined) throw new Error('no trend')
  expect(expectedOn(quarter, FIRST_DAY + 100)).toBeCloseTo(200)
  expect(fitTrends([null, null, null], FIRST_DAY)).toBeNull()
})
