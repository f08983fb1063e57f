import 'server-only'
import * as z from 'zod'
import type { EnrollmentRequest } from '@/lib/schemas/api/enrollment-requests'
import { HOLD_REASONS } from '@/lib/schemas/states'
import type { Query } from '@/lib/server/database/database'
import { WAITING_MS } from './hold-enrollment'
import { requestCode } from './request-code'

// SQL: hosts are joined by name.
const LIST = `
SELECT p.id, p.host_name AS host, p.reason, p.address, p.agent_version AS "agentVersion", p.join_token_id AS "joinTokenId",
  t.label AS "joinTokenLabel", p.attempts, p.requester_hash AS "requesterHash", p.first_at AS "firstAt",
  p.last_at AS "lastAt", h.seen_at AS "hostSeenAt", p.decision IS NOT NULL AS "isApproved"
FROM pending_enrollment p JOIN join_token t ON t.id = p.join_token_id
LEFT JOIN host h ON h.cloud_id = p.cloud_id AND h.name = p.host_name
WHERE p.cloud_id = $1 AND p.used_at IS NULL AND p.last_at > $2::timestamptz
  AND (p.decision IS NULL OR (p.decision IN ('approved', 'approved as new') AND p.decided_at > $3::timestamptz))
ORDER BY p.id`

const requestRow = z.object({
  id: z.int(),
  host: z.string(),
  reason: z.enum(HOLD_REASONS),
  address: z.string(),
  agentVersion: z.string(),
  joinTokenId: z.int(),
  joinTokenLabel: z.string(),
  attempts: z.int(),
  requesterHash: z.string(),
  firstAt: z.date(),
  lastAt: z.date(),
  hostSeenAt: z.date().nullable(),
  isApproved: z.boolean(),
})

/** Requests of a cloud that wait or whose approval is not used yet. For services that have checked the caller's permission. */
export const listEnrollmentRequests = async (
  query: Query,
  { cloudId, now }: { cloudId: number; now: Date },
): Promise<EnrollmentRequest[]> => {
  const since = new Date(now.getTime() - WAITING_MS)
  const approvedSince = new Date(now.getTime() - 24 * 3600_000)
  const rows = await query(LIST, [cloudId, since, approvedSince], requestRow)
  return rows.map(({ requesterHash, isApproved, ...row }) => ({
    ...row,
    code: requestCode(requesterHash),
    firstAt: row.firstAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
    hostSeenAt: row.hostSeenAt?.toISOString() ?? null,
    state: isApproved ? 'approved' : 'waiting',
  }))
}
