import 'server-only'
import { advanceFindings } from '@/lib/domain/findings/lifecycle'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { queueFindings } from '@/lib/services/webhook-outbox/queue-findings'
import { FINDING_COLUMNS, findingRow, storedFinding } from './finding-row'

// SQL: rows under their lock, and one statement for all findings of a host.
const LOAD = `
SELECT ${FINDING_COLUMNS} FROM finding f
WHERE f.cloud_id = $1 AND f.host = $2 AND f.closed_at IS NULL ORDER BY f.id FOR NO KEY UPDATE`

const CLOSE = `
WITH closed AS (
  UPDATE finding SET closed_at = $2::timestamptz, cannot_tell = NULL, cannot_tell_since = NULL
  WHERE id = ANY($1::int[]) RETURNING id, severity, body
)
INSERT INTO finding_event (finding_id, at, kind, actor, note, severity, sentence)
SELECT id, $2::timestamptz, 'closed', $3, $4, severity, body->>'sentence' FROM closed`

/** Resolves all findings on a host, with the reason, and notifies webhooks. Answers how many. */
export const closeHostFindings = async (
  query: Query,
  {
    cloudId,
    host,
    at,
    actor,
    note,
  }: { cloudId: number; host: string; at: Date; actor: string; note: string },
): Promise<number> => {
  const rows = await query(LOAD, [cloudId, host], findingRow)
  if (rows.length === 0) return 0
  await query(CLOSE, [pgArray(rows.map(({ id }) => id)), at, actor, note])
  const stored = rows.map(storedFinding)
  const step = advanceFindings({ stored, findings: [], unverified: [], now: at.toISOString() })
  await queueFindings(query, { cloudId, step, at })
  return rows.length
}
