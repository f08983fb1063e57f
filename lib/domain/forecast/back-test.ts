import { expectedOn, fitTrends, MODELS, type Model, type Trend, weeklyLevels } from './fit-trend'
import type { DailySeries } from './forecast-series'
import { levelShifts } from './level-shifts'
import { lastKnown, mean, median, quantile } from './robust'

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
type Rival = 'lastValue' | 'lastWeek'

/** What each try was off by, in absolute vGPUs, tries from recent days first: on average in the week that ends at a horizon. */
type Tally = {
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
  const max = lastKnown(capacity.slice(0, origin + 1)) ?? Number.POSITIVE_INFINITY
  for (const [days, tally] of tallies) {
    const indexes = Array.from({ length: WEEK }, (_, day) => origin + days - day).filter(
      (index) => peaks[index] !== null && peaks[index] !== undefined,
    )
    if (indexes.length === 0) continue
    const offBy = (expected: (index: number) => number): number[] =>
      indexes.map((index) => Math.abs(expected(index) - (peaks[index] ?? 0)))
    const isShifted = shifts.some(
      (shift) => origin < shift + SHIFT_BLUR && shift - SHIFT_BLUR <= origin + days,
    )
    for (const trend of trends) {
      const off = offBy((index) => bounded(trend, { day: firstDay + index, capacity: max }))
      tally.ofDays[trend.model].push(...off)
      if (!isShifted) tally.forecast[trend.model].push(mean(off))
    }
    if (isShifted) continue
    tally.rival.lastValue.push(mean(offBy(() => last)))
    tally.rival.lastWeek.push(
      mean(offBy((index) => peaks[origin - ((((origin - index) % WEEK) + WEEK) % WEEK)] ?? last)),
    )
  }
}

/** Places of the days at which something came or left at once. */
const shiftIndexes = (peaks: DailySeries['peaks']): number[] => {
  const weeks = weeklyLevels(peaks)
  return levelShifts(weeks).map(({ at }) => peaks.length - (weeks.length - at) * WEEK)
}

/**
 * Forecasts from days of the past, by how many days they looked ahead. Trials with a large arrival or departure in
 * between do not count for the comparison, because no method could predict it. They do count in `ofDays`, which gives the
 * range.
 */
const tryForecasts = (known: DailySeries): Map<number, Tally> => {
  const tallies = new Map(MEASURED_HORIZONS.map((days) => [days, newTally()]))
  const shifts = shiftIndexes(known.peaks)
  const latest = known.peaks.length - 1 - WEEK
  for (let origin = latest; origin >= 0 && origin > latest - TRIED_DAYS; origin -= PACE_DAYS)
    if (known.peaks[origin] !== null) tryFrom(origin, known, { tallies, shifts })
  return tallies
}

/** A horizon is reported if so many forecasts reached it. */
const MIN_FORECASTS = 4

/** Horizons that are judged, in days. */
const JUDGED_HORIZONS = [7, 28, 90] as const
/** The share of what came that lies within the range. */
const RANGE_SHARE = 0.8

/** What a try was typically off by at a horizon (on average over the week that ends with it), in vGPUs, and how many there were. */
type HorizonErrors = { days: number; forecasts: number; forecast: number } & Record<Rival, number>

export type BackTest = {
  model: Model
  /** Those of 7, 28 and 90 days that the history is long enough for. */
  horizons: HorizonErrors[]
  isBetter: boolean
  /** How far what came lay from the forecast in four of five cases, by days ahead in ascending order. */
  accuracy: { days: number; within: number }[]
}

/** The median, because a single large arrival or departure is not predictable and must not decide. */
const typical = (errors: readonly number[]): number => median(errors) ?? 0

/** Whole-number series are met exactly or not at all; less than this is rounding. */
const NOTHING = 1e-9
/** A growth has to be worth so much against none, as choosing among models finds one that was only lucky. */
const WORTH = 0.97
/** By so little less than the error of the rivals it is no better, but lucky (bench/forecast.ts). */
const BETTER = 0.93

/** Of the tries from recent days, which come first, and of all of them. */
const PERIODS = [1 / 3, 1]

/** Error against the better of the rivals, as the mean over horizons; 1: no better than they are. */
const shareIn = (tallies: readonly Tally[], { model, period }: { model: Model; period: number }): number =>
  mean(
    tallies.map(({ forecast, rival }) => {
      const typicalOf = (errors: readonly number[]): number =>
        typical(errors.slice(0, Math.ceil(errors.length * period)))
      const own = typicalOf(forecast[model])
      const best = Math.min(typicalOf(rival.lastValue), typicalOf(rival.lastWeek))
      if (best < NOTHING) return own < NOTHING ? 1 : Number.POSITIVE_INFINITY
      return own / best
    }),
  )

/** What was good once and is not any more is not good. */
const errorShare = (tallies: readonly Tally[], model: Model): number =>
  Math.max(...PERIODS.map((period) => shareIn(tallies, { model, period })))

const chooseModel = (tallies: readonly Tally[]): Model =>
  MODELS.reduce((best, model) =>
    errorShare(tallies, model) < errorShare(tallies, best) * (best === 'flat' ? WORTH : 1) ? model : best,
  )

/**
 * Forecasts from days of the past, each from the data known until then, compared with what happened and with the
 * assumption that nothing changes. Null: the history is too short for any. All series run by day from `firstDay` (counted
 * from 1 January 1970).
 */
export const backTest = (known: DailySeries): BackTest | null => {
  const tallies = tryForecasts(known)
  const met = [...tallies].filter(([, { rival }]) => rival.lastValue.length >= MIN_FORECASTS)
  const judged = met.filter(([days]) => JUDGED_HORIZONS.some((horizon) => horizon === days))
  if (judged.length === 0) return null
  const judgedTallies = judged.map(([, tally]) => tally)
  const model = chooseModel(judgedTallies)
  const share = errorShare(judgedTallies, model)
  const isExact = judgedTallies.every((tally) => typical(tally.rival.lastValue) < NOTHING)
  return {
    model,
    horizons: judged.map(([days, tally]) => ({
      days,
      forecasts: tally.rival.lastValue.length,
      forecast: typical(tally.forecast[model]),
      lastValue: typical(tally.rival.lastValue),
      lastWeek: typical(tally.rival.lastWeek),
    })),
    // A series that never changed cannot be forecast better than by its constant.
    isBetter: share < BETTER || (isExact && share === 1),
    accuracy: accuracyOf(met, model),
  }
}

/** Never less far ahead than nearer by. */
const accuracyOf = (met: readonly [number, Tally][], model: Model): BackTest['accuracy'] => {
  let within = 0
  return met.map(([days, { ofDays }]) => {
    within = Math.max(within, quantile(ofDays[model], RANGE_SHARE) ?? 0)
    return { days, within }
  })
}
