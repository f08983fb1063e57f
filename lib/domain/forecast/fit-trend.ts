import { withoutShifts } from './level-shifts'
import { median, theilSen } from './robust'
import { weekPattern, weekPosition } from './week-pattern'

const WEEK = 7
/** Older data is no indication of current growth. */
const WINDOW_WEEKS = 26
/** Patterns follow the level, so those of last spring do not hold. */
const PATTERN_WEEKS = 10
/** A week of fewer known days has no level. */
const MIN_DAYS_OF_WEEK = 3
/** Weights of the last weeks in the level at which the forecast starts, the newest first. */
const LEVEL_WEIGHTS = [0.6, 0.3, 0.1]

/** Number of weeks for the growth; `flat`: no growth except for the week pattern. */
export const MODELS = ['flat', 'quarter', 'half-year'] as const
export type Model = (typeof MODELS)[number]
const TREND_WEEKS: Readonly<Record<Model, number>> = { flat: 0, quarter: 13, 'half-year': 26 }

/** A daily peak as level, growth and week pattern; `level` is that of `lastDay`. */
export type Trend = {
  model: Model
  lastDay: number
  level: number
  perDay: number
  /** By `weekPosition`. */
  pattern: readonly number[]
}

/** Levels of the last whole weeks, half a year at most, the last of which ends with the last value; null: too little is known. */
export const weeklyLevels = (values: readonly (number | null)[]): (number | null)[] => {
  const count = Math.min(WINDOW_WEEKS, Math.floor(values.length / WEEK))
  return Array.from({ length: count }, (_, week) => {
    const end = values.length - (count - 1 - week) * WEEK
    const known = values.slice(end - WEEK, end).filter((value) => value !== null)
    return known.length < MIN_DAYS_OF_WEEK ? null : median(known)
  })
}

const levelAtEnd = (weeks: readonly (number | null)[], perDay: number): number | null => {
  let [sum, weights] = [0, 0]
  for (const [back, weight] of LEVEL_WEIGHTS.entries()) {
    const week = weeks.at(-1 - back)
    if (week === null || week === undefined) continue
    sum += weight * (week + perDay * (back * WEEK + (WEEK - 1) / 2))
    weights += weight
  }
  if (weights > 0) return sum / weights
  return weeks.findLast((week) => week !== null) ?? null
}

/**
 * One trend for each model, of the daily peaks up to the last value; a gap is null. `firstDay`: the first value's day, counted
 * from 1 January 1970. Null: no week of them is known.
 */
export const fitTrends = (values: readonly (number | null)[], firstDay: number): Trend[] | null => {
  const skipped = Math.max(0, values.length - WINDOW_WEEKS * WEEK)
  const window = values.slice(skipped)
  const begin = firstDay + skipped
  const recent = window.slice(-PATTERN_WEEKS * WEEK)
  const pattern = weekPattern(recent, begin + window.length - recent.length)
  const plain = window.map((value, index) =>
    value === null ? null : value - (pattern[weekPosition(begin + index)] ?? 0),
  )
  const weeks = withoutShifts(weeklyLevels(plain))
  const trends = MODELS.flatMap((model): Trend[] => {
    const perWeek = model === 'flat' ? 0 : (theilSen(weeks.slice(-TREND_WEEKS[model])) ?? 0)
    const level = levelAtEnd(weeks, perWeek / WEEK)
    const lastDay = firstDay + values.length - 1
    return level === null ? [] : [{ model, lastDay, level, perDay: perWeek / WEEK, pattern }]
  })
  return trends.length === 0 ? null : trends
}

/** The peak that a trend expects on a day; never below 0. */
export const expectedOn = ({ lastDay, level, perDay, pattern }: Trend, day: number): number =>
  Math.max(0, level + perDay * (day - lastDay) + (pattern[weekPosition(day)] ?? 0))
