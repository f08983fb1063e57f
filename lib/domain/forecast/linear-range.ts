import { type Exhaustion, exhaustionOf } from './exhaustion'
import { weeklyLevels } from './fit-trend'
import type { DailySeries, ForecastDay } from './forecast-series'
import { lastKnown, pairSlopes, quantile } from './robust'

const WEEK = 7
/** A week's level is that of its middle, three days before its last. */
const MIDDLE = 3
/** A line needs three weeks, and older ones than a quarter are no indication of current growth. */
const MIN_WEEKS = 3
const MAX_WEEKS = 13
/** Normal quantile of a range that holds four of five. */
const RANGE_Z = 1.2816

/** A straight line where past forecasts of the series were not good enough: vGPUs a week, and when it reaches the capacity. */
export type LinearRange = {
  growthPerWeek: { low: number; likely: number; high: number }
  atEnd: ForecastDay
  exhaustion: Exhaustion | null
}

/**
 * A line through the weekly peaks of the last quarter by Theil and Sen, with Sen's confidence interval of its slope (P. K. Sen,
 * 1968). `count`: days to look ahead. Null: fewer than three weeks are known.
 */
export const linearRange = (
  { peaks, capacity, firstDay }: DailySeries,
  { count }: { count: number },
): LinearRange | null => {
  const weeks = weeklyLevels(peaks).slice(-MAX_WEEKS)
  const known = weeks.filter((week) => week !== null).length
  const level = lastKnown(weeks)
  const slopes = pairSlopes(weeks)
  const margin = (RANGE_Z * Math.sqrt((known * (known - 1) * (2 * known + 5)) / 18)) / slopes.length / 2
  const [low, likely, high] = [0.5 - margin, 0.5, 0.5 + margin].map((share) =>
    quantile(slopes, Math.min(1, Math.max(0, share))),
  )
  if (known < MIN_WEEKS || level === null || count < 1) return null
  if (low == null || likely == null || high == null) return null
  const from = firstDay + peaks.length
  const dayAt = (index: number): ForecastDay => {
    const at = (perWeek: number): number => Math.max(0, level + (perWeek * (index + 1 + MIDDLE)) / WEEK)
    return { day: from + index, likely: at(likely), low: at(low), high: at(high) }
  }
  const days = Array.from({ length: count }, (_, index) => dayAt(index))
  const max = lastKnown(capacity)
  return {
    growthPerWeek: { low, likely, high },
    atEnd: dayAt(count - 1),
    exhaustion: max === null ? null : exhaustionOf(days, { capacity: max, growthPerWeek: high }),
  }
}
