import 'server-only'
import { DAY_MS } from '@/lib/domain/history/series'
import { type SeriesName, seriesKey } from '@/lib/domain/utilization/sample'
import type { UsageSlot } from '@/lib/domain/utilization/usage-slot'
import type { Query } from '@/lib/server/database/database'
import { patchHours } from './patch-pages'
import { numberSeries } from './series-rows'

/** The 24 hours of one series on one UTC day; null: a gap. */
export type UsageHours = SeriesName & { hours: readonly (UsageSlot | null)[] }

/**
 * Writes the hours of a host on one UTC day (`day`: its begin in ms), all of them or those from `fromHour` on, in place
 * of the stored ones, and the day that follows; for histories that do not come from samples. Minutes and five minutes
 * stay unchanged. Groups follow with `rollUpUsage`, which the caller repeats until nothing is left, or by the background
 * work.
 */
export const writeUsageHours = async (
  query: Query,
  {
    hostId,
    day,
    series,
    fromHour = 0,
  }: { hostId: number; day: number; series: readonly UsageHours[]; fromHour?: number },
): Promise<void> => {
  const numbers = await numberSeries(query, { hostId, names: series, from: day, until: day + DAY_MS })
  const patchOf = (isVgpu: boolean) =>
    new Map(
      series
        .filter(({ vgpu }) => (vgpu !== null) === isVgpu)
        .map((one) => [numbers.get(seriesKey(one)) ?? 0, new Map(one.hours.entries())]),
    )
  const indexes = Array.from({ length: 24 - fromHour }, (_, hour) => fromHour + hour)
  await patchHours(query, { hostId, day, indexes, hours: { pgpu: patchOf(false), vgpu: patchOf(true) } })
}
