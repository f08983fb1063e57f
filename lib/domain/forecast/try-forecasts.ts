import { expectedOn, fitTrends, type Model, type Trend, weeklyLevels } from './fit-trend'
import type { DailySeries } from './forecast-series'
import { levelShifts } from './level-shifts'
import { lastKnown, mean } from './robust'

const WEEK = 7
/** Days of known peaks that a forecast learns from at least. */
const LEARNED_DAYS = 28
/** Interval in days between trial forecasts in the last half year; it covers each weekday in turn. */
const PACE_DAYS = 3
const TRIED_DAYS = 182
/** Days by which a shift may lie earlier or later than the week that shows it. */
const SHIFT_BLUR = 4
/** Days ahead at which a trial is compared with the actual values, in ascending order. */
const MEASURED_HORIZONS = [7, 14, 21, 28, 42, 56, 70, 90]

/** The two that a forecast has to beat: the last day's value, and that of the same weekday in the last week. */
export type Rival = 'lastValue' | 'lastWeek'

/** What each try was off by, in absolute vGPUs, tries from recent days first: on average in the week that ends at a horizon. */
export type Tally = {
  forecast: Record<Model, number[]>
  rival: Record<Rival, number[]>
  /** Of each day, in tries with and without a shift. */
  ofDays: Record<Model, number[]>
}

const newTally = (): Tally => ({
  forecast: { flat: [], quarter: [], 'half-year': [] },
  ofDays: { flat: [], quarter: [], 'half-year': [] },
  rival: { lastValue: [], lastWeek: [] },
})

/** Use cannot exceed the capacity, so neither may its forecast. */
const bounded = (trend: Trend, { day, capacity }: { day: number; capacity: number }): number =>
  Math.min(expectedOn(trend, day), capacity)

/** Adds what forecasts from one day were off by, at each horizon. */
const tryFrom = (
  origin: number,
  { peaks, capacity, firstDay }: DailySeries,
  { tallies, shifts }: { tallies: Map<number, Tally>; shifts: number[] },
): void => {
  const learned = peaks.slice(0, origin + 1)
  if (learned.filter((peak) => peak !== null).length < LEARNED_DAYS) return
  const trends = fitTrends(learned, firstDay)
  const last = lastKnown(learned)
  if (trends === null || last === null) return
  const most = lastKnown(capacity.slice(0, origin + 1)) ?? Number.POSITIVE_INFINITY
  for (const [days, tally] of tallies) {
    const places = Array.from({ length: WEEK }, (_, day) => origin + days - day).filter(
      (place) => peaks[place] !== null && peaks[place] !== undefined,
    )
    if (places.length === 0) continue
    const offBy = (expected: (place: number) => number): number[] =>
      places.map((place) => Math.abs(expected(place) - (peaks[place] ?? 0)))
    const isShifted = shifts.some(
      (shift) => origin < shift + SHIFT_BLUR && shift - SHIFT_BLUR <= origin + days,
    )
    for (const trend of trends) {
      const off = offBy((place) => bounded(trend, { day: firstDay + place, capacity: most }))
      tally.ofDays[trend.model].push(...off)
      if (!isShifted) tally.forecast[trend.model].push(mean(off))
    }
    if (isShifted) continue
    tally.rival.lastValue.push(mean(offBy(() => last)))
    tally.rival.lastWeek.push(
      mean(offBy((place) => peaks[origin - ((((origin - place) % WEEK) + WEEK) % WEEK)] ?? last)),
    )
  }
}

/** Places of the days at which something came or left at once. */
const shiftPlaces = (peaks: DailySeries['peaks']): number[] => {
  const weeks = weeklyLevels(peaks)
  return levelShifts(weeks).map(({ at }) => peaks.length - (weeks.length - at) * WEEK)
}

/**
 * Forecasts from days of the past, by how many days they looked ahead. Trials with a large arrival or departure in
 * between do not count for the comparison, because no method could predict it. They do count in `ofDays`, which gives the
 * range.
 */
export const tryForecasts = (known: DailySeries): Map<number, Tally> => {
  const tallies = new Map(MEASURED_HORIZONS.map((days) => [days, newTally()]))
  const shifts = shiftPlaces(known.peaks)
  const latest = known.peaks.length - 1 - WEEK
  for (let origin = latest; origin >= 0 && origin > latest - TRIED_DAYS; origin -= PACE_DAYS)
    if (known.peaks[origin] !== null) tryFrom(origin, known, { tallies, shifts })
  return tallies
}
