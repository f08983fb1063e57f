import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'

/** The first and last moment at which a host was known to be watched; null: it never reported. */
export type HostSpan = { id: number; firstKnownAt: Date | null; lastKnownAt: Date | null }

const SPANS = `
SELECT h.id, least(min(w.since), h.watched_since) AS "firstKnownAt", greatest(max(w.until), h.watched_at) AS "lastKnownAt"
FROM host h LEFT JOIN host_watch w ON w.host_id = h.id WHERE h.id = ANY($1::int[]) GROUP BY h.id`

export const loadSpans = (query: Query, hostIds: readonly number[]): Promise<HostSpan[]> =>
  query(SPANS, [pgArray(hostIds)], uncheckedRow<HostSpan>())

/** The host first, then the removed hosts whose history it continues. */
export const loadLineage = async (query: Query, hostId: number): Promise<number[]> => {
  const rows = await query('SELECT l.id FROM host_lineage($1) l', [hostId], uncheckedRow<{ id: number }>())
  return rows.map(({ id }) => id)
}
