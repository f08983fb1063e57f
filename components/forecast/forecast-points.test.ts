import { expect, test } from 'vitest'
import { forecastCsv, forecastPoints } from './forecast-points'

const POINTS = forecastPoints({
  from: '2026-11-19',
  used: [4, null],
  capacity: [12, null],
  forecastFrom: '2026-11-21',
  likely: [5],
  low: [3.5],
  high: [6.5],
})

test('the forecast follows the history, under the capacity that was known last', () => {
  expect(POINTS.map(({ at }) => new Date(at).toISOString().slice(0, 10))).toEqual([
    '2026-11-19',
    '2026-11-20',
    '2026-11-21',
  ])
  expect(POINTS[1]).toMatchObject({ used: null, capacity: null, likely: null })
  expect(POINTS[2]).toMatchObject({ used: null, capacity: 12, likely: 5, range: [3.5, 6.5] })
})

test('as CSV a gap is an empty field', () => {
  expect(forecastCsv(POINTS).split('\r\n').slice(1)).toEqual([
    '2026-11-19,4,12,,,',
    '2026-11-20,,,,,',
    '2026-11-21,,12,5,3.5,6.5',
    '',
  ])
})
