import { expect, test } from 'vitest'
import { createRandom } from '@/simulator/random/random'
import { forecastSeries } from './forecast-series'
import { linearRange } from './linear-range'
import { FIRST_DAY, generateSeries } from './testing/generate-series'

const lineOf = (days: number, peak: (day: number) => number | null, capacity = 100) => ({
  firstDay: FIRST_DAY,
  peaks: Array.from({ length: days }, (_, day) => peak(day)),
  capacity: Array.from({ length: days }, () => capacity),
})

test('an exact line has no range, and is full when it meets the capacity', () => {
  const range = linearRange(
    lineOf(70, (day) => day),
    { count: 180 },
  )
  expect(range?.growthPerWeek).toEqual({ low: 7, likely: 7, high: 7 })
  if (range?.exhaustion?.kind !== 'dated') throw new Error('no date')
  const { earliest, likely, latest } = range.exhaustion
  expect(earliest).toBe(likely)
  expect(likely).toBe(latest)
  expect(likely).toBe(FIRST_DAY + 100)
})

test('the range of a wandering series contains its line, and grows with the days ahead', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const series = generateSeries({ wander: 1.5, begin: 1000, capacity: 2000 }, createRandom(seed).next)
    const near = linearRange(series, { count: 10 })
    const far = linearRange(series, { count: 180 })
    if (near === null || far === null) throw new Error('no line')
    const { low, likely, high } = far.growthPerWeek
    expect(low).toBeLessThanOrEqual(likely)
    expect(likely).toBeLessThanOrEqual(high)
    expect(far.atEnd.high - far.atEnd.low).toBeGreaterThanOrEqual(near.atEnd.high - near.atEnd.low)
    expect(far.atEnd.low).toBeGreaterThanOrEqual(0)
  }
})

test('less than three weeks have no line', () => {
  expect(
    linearRange(
      lineOf(20, (day) => day),
      { count: 40 },
    ),
  ).toBeNull()
  expect(
    linearRange(
      lineOf(70, () => null),
      { count: 40 },
    ),
  ).toBeNull()
})

test('a series without a forecast has a line instead, one with a forecast has none', () => {
  const shown = Array.from({ length: 20 }, (_, seed) =>
    forecastSeries(generateSeries({ wander: 1.5 }, createRandom(seed + 1).next)),
  )
  for (const { none, weak } of shown) expect(weak === null).toBe(none === null)
  expect(forecastSeries(lineOf(30, (day) => day))).toMatchObject({
    none: { reason: 'too-short' },
    weak: { growthPerWeek: { likely: 7 } },
  })
})

test('old data has no line', () => {
  const { none, weak } = forecastSeries(lineOf(100, (day) => (day < 70 ? day : null)))
  expect(none).toMatchObject({ reason: 'stale' })
  expect(weak).toBeNull()
})
