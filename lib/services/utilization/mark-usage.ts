import 'server-only'
import { DAY_MS, HOUR_MS } from '@/lib/domain/history/series'
import type { Query } from '@/lib/server/database/database'
import { loadGroupSlots } from './group-rows'

/** pGPUs count in the first, vGPUs in the second. */
const DIMENSIONS = ['all', 'flavor'] as const

// SQL: inserts only where the hours of vGPUs are still kept, in one statement. Without the hours of vGPUs, a rebuild from
// pGPUs alone would lose stored figures.
const MARK = `
INSERT INTO utilisation_mark (cloud_id, day)
SELECT $1::int, $2::date WHERE EXISTS (SELECT 1 FROM utilisation_vgpu_hour WHERE begin <= $2::date)`

/**
 * Marks a UTC day so that the groups' figures are rebuilt where hours from `begin` (ms) on already have some: new facts
 * about the pGPUs and guests may move them to other groups.
 */
export const markUsage = async (
  query: Query,
  { cloudId, begin }: { cloudId: number; begin: number },
): Promise<void> => {
  const from = Math.floor(begin / HOUR_MS) * HOUR_MS
  const until = (Math.floor(begin / DAY_MS) + 1) * DAY_MS
  const day = new Date(begin).toISOString().slice(0, 10)
  for (const dimension of DIMENSIONS) {
    const groups = await loadGroupSlots(query, { cloudId, step: 'hour', dimension, key: null, from, until })
    if (![...groups.values()].some((slots) => slots.some((slot) => slot !== null))) continue
    await query(MARK, [cloudId, day])
    return
  }
}
