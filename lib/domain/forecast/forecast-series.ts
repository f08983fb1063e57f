import { type BackTest, backTest } from './back-test'
import { type Exhaustion, exhaustionOf, fullSince } from './exhaustion'
import { expectedOn, fitTrends, type Trend } from './fit-trend'
import { type LinearRange, linearRange } from './linear-range'
import { lastKnown } from './robust'

const WEEK = 7
/** A forecast looks half a year ahead, and no farther than twice as far as its history reaches back. */
const HORIZON_DAYS = 180
const HISTORY_TIMES = 2
/** Four weeks to learn from and two to be tried in. */
const NEEDED_DAYS = 42
/** Of the last days of this number, at least half must be known. */
const RECENT_DAYS = 56
/** At least one day within this number of days must be known. */
const STALE_DAYS = 14

/**
 * Daily peaks of use and the capacity, in vGPUs, day by day from `firstDay` (counted from 1 January 1970, UTC); null:
 * unknown. The last day is the day before `today`.
 */
export type DailySeries = {
  firstDay: number
  peaks: readonly (number | null)[]
  capacity: readonly (number | null)[]
}

/** Peak of a day to come, with the range that holds four of five. */
export type ForecastDay = { day: number; likely: number; low: number; high: number }

/** Why no forecast is shown. */
export type NoForecast =
  | { reason: 'too-short'; knownDays: number; neededDays: number }
  | { reason: 'gaps'; knownDays: number; ofDays: number }
  | { reason: 'stale'; lastDay: number }
  | { reason: 'no-better' }

export type Forecast = {
  /** Capacity of the last known day, and the most used at once in the last seven of them; null: nothing is known. */
  capacity: number | null
  used: number | null
  knownDays: number
  backTest: BackTest | null
  /** Null when a forecast is shown. */
  none: NoForecast | null
  /** In place of a forecast where the signal is weak or the history short; null: there is a forecast, or too little is known. */
  weak: LinearRange | null
  /** vGPUs a week; null without a forecast. */
  growthPerWeek: number | null
  days: ForecastDay[]
  /** A type that is full now needs no forecast; null: unknown. */
  exhaustion: Exhaustion | null
}

const whyNone = ({ firstDay, peaks }: DailySeries): NoForecast | null => {
  const knownDays = peaks.filter((peak) => peak !== null).length
  const last = peaks.findLastIndex((peak) => peak !== null)
  if (last >= 0 && peaks.length - last > STALE_DAYS) return { reason: 'stale', lastDay: firstDay + last }
  if (knownDays < NEEDED_DAYS) return { reason: 'too-short', knownDays, neededDays: NEEDED_DAYS }
  const recent = peaks.slice(-RECENT_DAYS)
  const known = recent.filter((peak) => peak !== null).length
  return known * 2 < recent.length ? { reason: 'gaps', knownDays: known, ofDays: recent.length } : null
}

/** Beyond the longest tested horizon the range widens in proportion. */
const accuracyAt = (accuracy: BackTest['accuracy'], ahead: number): number => {
  const after = accuracy.findIndex(({ days }) => days >= ahead)
  const last = accuracy.at(-1)
  if (last === undefined) return 0
  if (after < 0) return (last.within * ahead) / last.days
  const [below, above] = [accuracy[after - 1], accuracy[after]]
  if (above === undefined) return last.within
  if (below === undefined) return above.within
  return below.within + ((above.within - below.within) * (ahead - below.days)) / (above.days - below.days)
}

const daysAhead = (
  trend: Trend,
  { accuracy, count, from }: { accuracy: BackTest['accuracy']; count: number; from: number },
): ForecastDay[] =>
  Array.from({ length: count }, (_, index) => {
    const day = from + index
    const likely = expectedOn(trend, day)
    const within = accuracyAt(accuracy, day - trend.lastDay)
    return { day, likely, low: Math.max(0, likely - within), high: likely + within }
  })

/**
 * The expected daily peaks of the next half year, and when they reach the capacity. Shown only if past forecasts of this
 * series were better than the assumption that nothing changes (`backTest`).
 */
export const forecastSeries = (series: DailySeries): Forecast => {
  const { peaks, firstDay } = series
  const capacity = lastKnown(series.capacity)
  const known = peaks.filter((peak) => peak !== null)
  const since = fullSince(series)
  const facts = {
    capacity,
    used: known.length === 0 ? null : Math.max(...known.slice(-WEEK)),
    knownDays: known.length,
    backTest: null,
    growthPerWeek: null,
    days: [],
    weak: null,
    exhaustion: since === null ? null : { kind: 'full' as const, since },
  }
  const count = Math.min(HORIZON_DAYS, peaks.length * HISTORY_TIMES)
  const withLine = (none: NoForecast): Forecast => ({ ...facts, none, weak: linearRange(series, { count }) })
  const none = whyNone(series)
  if (none !== null) return none.reason === 'too-short' ? withLine(none) : { ...facts, none }
  const tested = backTest(series)
  const trend = fitTrends(peaks, firstDay)?.find(({ model }) => model === tested?.model)
  if (tested === null || trend === undefined)
    return withLine({ reason: 'too-short', knownDays: known.length, neededDays: NEEDED_DAYS })
  if (!tested.isBetter) return { ...withLine({ reason: 'no-better' }), backTest: tested }
  const days = daysAhead(trend, { accuracy: tested.accuracy, count, from: firstDay + peaks.length })
  const growthPerWeek = trend.perDay * WEEK
  return {
    ...facts,
    backTest: tested,
    none: null,
    growthPerWeek,
    days,
    exhaustion:
      facts.exhaustion ?? (capacity === null ? null : exhaustionOf(days, { capacity, growthPerWeek })),
  }
}
