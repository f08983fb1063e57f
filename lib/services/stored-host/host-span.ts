import 'server-only'
import * as z from 'zod'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'

// SQL: aggregates, and a function of the database.
const SPANS = `
SELECT h.id, least(min(w.since), h.watched_since) AS "firstKnownAt", greatest(max(w.until), h.watched_at) AS "lastKnownAt"
FROM host h LEFT JOIN host_watch w ON w.host_id = h.id WHERE h.id = ANY($1::int[]) GROUP BY h.id`

const spanRow = z.object({
  id: z.int(),
  firstKnownAt: z.date().nullable(),
  lastKnownAt: z.date().nullable(),
})
/** The first and last moment at which a host was known to be watched; null: it never reported. */
export type HostSpan = z.infer<typeof spanRow>

export const loadSpans = (query: Query, hostIds: readonly number[]): Promise<HostSpan[]> =>
  query(SPANS, [pgArray(hostIds)], spanRow)

/** The host first, then the removed hosts whose history it continues. */
export const loadLineage = async (query: Query, hostId: number): Promise<number[]> => {
  const rows = await query('SELECT l.id FROM host_lineage($1) l', [hostId], spanRow.pick({ id: true }))
  return rows.map(({ id }) => id)
}
