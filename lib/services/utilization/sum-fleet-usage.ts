import 'server-only'
import { DAY_MS, HOUR_MS, wholeSteps } from '@/lib/domain/history/series'
import { joinUsage } from '@/lib/domain/utilization/usage-slot'
import type { RollUpStep } from '@/lib/schemas/states'
import type { Query } from '@/lib/server/database/database'
import { loadGroupSlots } from './group-rows'

export type FleetUsage = {
  /** Percent over all pGPUs with data, weighted by samples; null: none has data. */
  averagePercent: number | null
  /** The hour in which they were busiest together: its average, and where hours are kept its begin, else that of its day. */
  peakPercent: number | null
  peakAt: Date | null
  /** Framebuffer in use, summed over all pGPUs with data, and their total size. */
  averageUsedMib: number | null
  peakUsedMib: number | null
  totalMib: number | null
  /** Share of the hours (or days, of old times) of the range in which a pGPU has data, 0 to 1. */
  knownShare: number
}

// SQL: reads with the query of the caller, which may be the read replica.
const RETAINED_HOURS = `
SELECT 1 FROM utilisation_roll_up WHERE cloud_id = $1 AND step = 'hour' AND dimension = 'all' AND begin <= $2::date LIMIT 1`

/** Hours where they are kept from the begin on, else days. */
const stepOf = async (
  query: Query,
  { cloudId, from }: { cloudId: number; from: number },
): Promise<RollUpStep> =>
  (await query(RETAINED_HOURS, [cloudId, new Date(from).toISOString().slice(0, 10)])).length > 0
    ? 'hour'
    : 'day'

/**
 * Utilization of a cloud's pGPUs from `from` to `until`, both widened to whole hours (days, where hours are not kept any
 * more). The same result as long as no late samples arrive.
 */
export const sumFleetUsage = async (
  query: Query,
  { cloudId, from, until }: { cloudId: number; from: Date; until: Date },
): Promise<FleetUsage> => {
  const step = await stepOf(query, { cloudId, from: from.getTime() })
  const unitMs = step === 'hour' ? HOUR_MS : DAY_MS
  const range = wholeSteps({ from: from.getTime(), until: until.getTime() }, unitMs)
  const groups = await loadGroupSlots(query, { cloudId, step, dimension: 'all', key: '', ...range })
  const slots = groups.get('') ?? []
  const whole = joinUsage(slots)
  const known = slots.filter((slot) => slot !== null && slot.utilization !== null)
  const peak = whole?.utilization?.max ?? null
  const index = peak === null ? -1 : slots.findIndex((slot) => slot?.utilization?.max === peak)
  return {
    averagePercent: whole?.utilization?.average ?? null,
    peakPercent: peak,
    peakAt: index < 0 ? null : new Date(range.from + index * unitMs),
    averageUsedMib: whole?.usedMib?.average ?? null,
    peakUsedMib: whole?.usedMib?.max ?? null,
    totalMib: whole?.totalMib ?? null,
    knownShare: slots.length === 0 ? 0 : known.length / slots.length,
  }
}
