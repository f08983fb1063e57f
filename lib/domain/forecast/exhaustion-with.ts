import { type Exhaustion, exhaustionOf, fullSince } from './exhaustion'
import type { DailySeries, Forecast } from './forecast-series'

/**
 * When a group would be full with another capacity and the same demand, in vGPUs. `full`: it would be full immediately,
 * and would have been since that day. Null: unknown.
 */
export const exhaustionWith = (
  series: DailySeries,
  { none, days, growthPerWeek }: Forecast,
  capacity: number,
): Exhaustion | null => {
  const since = fullSince({ ...series, capacity: series.peaks.map(() => capacity) })
  if (since !== null) return { kind: 'full', since }
  if (none !== null || growthPerWeek === null) return null
  return exhaustionOf(days, { capacity, growthPerWeek })
}
