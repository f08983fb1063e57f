import { expect, test } from 'vitest'
import { createRandom } from '@/simulator/random/random'
import { exhaustionWith } from './exhaustion-with'
import { type DailySeries, forecastSeries } from './forecast-series'
import { FIRST_DAY, generateSeries, type SeriesStory } from './testing/generate-series'

const seriesOf = (story: Partial<SeriesStory>, seed = 3): DailySeries =>
  generateSeries(story, createRandom(seed).next)
const forecastOf = (story: Partial<SeriesStory>) => forecastSeries(seriesOf(story))

test('a line with a week pattern and noise continues, and its date of exhaustion lies in the range', () => {
  const story = { perDay: 0.5, begin: 100, noise: 3, weekShare: 0.05, capacity: 300, days: 270 }
  const { none, growthPerWeek, days, exhaustion, backTest } = forecastOf(story)
  expect(none).toBeNull()
  expect(growthPerWeek).toBeGreaterThan(3)
  expect(growthPerWeek).toBeLessThan(4)
  expect(days).toHaveLength(180)
  // The level meets 300 on day 400; on working days the peak lies 2 % above it.
  if (exhaustion?.kind !== 'dated') throw new Error(`${exhaustion?.kind} has no date`)
  const { earliest, likely, latest } = exhaustion
  expect(earliest).toBeLessThanOrEqual(likely ?? 0)
  expect(likely).toBeLessThanOrEqual(latest ?? Number.POSITIVE_INFINITY)
  expect(earliest).toBeGreaterThan(FIRST_DAY + 350)
  expect(likely).toBeGreaterThan(FIRST_DAY + 370)
  expect(likely).toBeLessThan(FIRST_DAY + 410)
  expect(backTest?.horizons.map((each) => each.days)).toEqual([7, 28, 90])
  for (const { forecast, lastValue, lastWeek } of backTest?.horizons ?? [])
    expect(forecast).toBeLessThan(Math.min(lastValue, lastWeek))
})

test('what stays as it is does not grow', () => {
  const { none, growthPerWeek, exhaustion } = forecastOf({})
  expect(none).toBeNull()
  expect(growthPerWeek).toBe(0)
  expect(exhaustion).toEqual({ kind: 'not-growing' })
})

test('noise around one level is never taken for growth', () => {
  const all = Array.from({ length: 20 }, (_, seed) => forecastSeries(seriesOf({ noise: 4 }, seed + 1)))
  const shown = all.filter(({ none }) => none === null)
  expect(shown.length).toBeGreaterThanOrEqual(10)
  for (const { exhaustion } of shown) expect(exhaustion).toEqual({ kind: 'not-growing' })
})

test('what shrinks is not growing either, and never falls below 0', () => {
  const { exhaustion, days } = forecastOf({ begin: 120, perDay: -0.4, noise: 1 })
  expect(exhaustion).toEqual({ kind: 'not-growing' })
  expect(days.every(({ low, likely }) => low >= 0 && likely >= 0)).toBe(true)
  expect(days.at(-1)?.likely).toBe(0)
})

test('a project that leaves does not hide the growth of the others', () => {
  const { growthPerWeek, none } = forecastOf({ perDay: 0.4, noise: 2, steps: [{ day: 180, by: -60 }] })
  expect(none).toBeNull()
  expect(growthPerWeek).toBeGreaterThan(2.3)
  expect(growthPerWeek).toBeLessThan(3.3)
})

test('what wanders by chance has no forecast', () => {
  const shown = Array.from({ length: 20 }, (_, seed) => forecastSeries(seriesOf({ wander: 1.5 }, seed + 1)))
  expect(shown.filter(({ none }) => none?.reason === 'no-better').length).toBeGreaterThanOrEqual(17)
})

test('gaps are left out and do not count as 0', () => {
  const gaps = [
    { from: 90, until: 118 },
    { from: 200, until: 212 },
  ]
  const whole = forecastOf({ perDay: 0.4, noise: 2 })
  const gapped = forecastOf({ perDay: 0.4, noise: 2, gaps })
  expect(gapped.none).toBeNull()
  expect(gapped.knownDays).toBe(270 - 28 - 12)
  expect(Math.abs((gapped.growthPerWeek ?? 0) - (whole.growthPerWeek ?? 0))).toBeLessThan(0.3)
})

test('too short a history is stated, with what is missing', () => {
  expect(forecastOf({ days: 41, perDay: 1 }).none).toEqual({
    reason: 'too-short',
    knownDays: 41,
    neededDays: 42,
  })
  expect(forecastOf({ days: 120, gaps: [{ from: 60, until: 100 }] }).none).toEqual({
    reason: 'gaps',
    knownDays: 20,
    ofDays: 56,
  })
  expect(forecastOf({ days: 120, gaps: [{ from: 105, until: 120 }] }).none).toEqual({
    reason: 'stale',
    lastDay: FIRST_DAY + 104,
  })
  const nothing = forecastSeries({ firstDay: FIRST_DAY, peaks: [], capacity: [] })
  expect(nothing).toMatchObject({
    used: null,
    capacity: null,
    exhaustion: null,
    none: { reason: 'too-short' },
  })
})

test('a full group is shown without a forecast, with the time since when', () => {
  const { none, exhaustion } = forecastOf({ days: 30, begin: 10, perDay: 1, capacity: 30 })
  expect(none).toMatchObject({ reason: 'too-short' })
  expect(exhaustion).toEqual({ kind: 'full', since: FIRST_DAY + 19 })
})

test('what is full on working days alone is full since the first of them, and what was once full is not', () => {
  const weekly = seriesOf({ days: 60, begin: 100, weekShare: 0.5, capacity: 120 })
  const first = weekly.peaks.indexOf(120)
  expect(forecastSeries(weekly).exhaustion).toEqual({ kind: 'full', since: FIRST_DAY + first })
  const once = seriesOf({ days: 60, begin: 100, steps: [{ day: 40, by: -10 }], capacity: 100 })
  expect(forecastSeries(once).exhaustion).not.toMatchObject({ kind: 'full' })
})

test('more capacity postpones the date, and a date beyond the forecast is stated as such', () => {
  const series = seriesOf({ perDay: 0.5, noise: 2, capacity: 300 })
  const moreAtOnce = series.capacity.map((each, index) => (index > 200 ? 320 : each))
  const [before, after] = [forecastSeries(series), forecastSeries({ ...series, capacity: moreAtOnce })]
  if (before.exhaustion?.kind !== 'dated' || after.exhaustion?.kind !== 'dated') throw new Error('no date')
  expect((after.exhaustion.likely ?? 0) - (before.exhaustion.likely ?? 0)).toBeGreaterThan(30)
  const far = forecastSeries({ ...series, capacity: series.capacity.map(() => 2000) })
  expect(far.exhaustion).toEqual({ kind: 'after', day: FIRST_DAY + 269 + 180 })
})

test('a forecast looks no farther than twice as far as its history', () => {
  expect(forecastOf({ days: 60, perDay: 0.5 }).days).toHaveLength(120)
})

test('with another capacity and the same demand it is full later, sooner or at once', () => {
  const series = seriesOf({ perDay: 0.5, noise: 2, capacity: 300 })
  const forecast = forecastSeries(series)
  if (forecast.exhaustion?.kind !== 'dated') throw new Error('no date')
  expect(exhaustionWith(series, forecast, 300)).toEqual(forecast.exhaustion)
  const more = exhaustionWith(series, forecast, 310)
  if (more?.kind !== 'dated') throw new Error('no date')
  expect(more.likely).toBeGreaterThan((forecast.exhaustion.likely ?? 0) + 10)
  expect(exhaustionWith(series, forecast, 900)).toMatchObject({ kind: 'after' })
  expect(exhaustionWith(series, forecast, 200)).toMatchObject({ kind: 'full' })
  const full = seriesOf({ days: 30, begin: 30, capacity: 30 })
  expect(exhaustionWith(full, forecastSeries(full), 40)).toBeNull()
})
