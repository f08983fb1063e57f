import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { HoldReason } from '@/lib/schemas/api/enrollment-requests'
import { writeAudit } from '@/lib/server/audit/audit'
import { ANONYMOUS } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { AgentError } from '@/lib/server/errors/agent-error'
import { requestCode } from './request-code'

/** One try of an agent to get a credential that only an admin can allow. */
export type EnrollmentAttempt = {
  cloudId: number
  cloud: string
  hostName: string
  joinTokenId: number
  /** Distinguishes agents that use the same join token: only the one that an admin approved gets the credential. */
  requesterHash: string
  address: string
  agentVersion: string
  now: Date
}

/** Why only an admin can allow it. `since`: an earlier decision does not count, because the admin could not know. */
export type Hold = { reason: HoldReason; since: Date | null }

type Row = {
  id: number
  reason: string
  decision: string | null
  decidedBy: string | null
  decidedAt: Date | null
  usedAt: Date | null
}

/** An admin lets the host in. `asNew`: as another host than the one of that name before. */
export type Approval = { by: string; asNew: boolean }

/** An approval that no agent has used by then is void, so that it can't be used months later. */
const APPROVAL_MS = 24 * 3600_000
/** Waiting requests of one host: a holder of a join token must not fill the database. */
const MAX_WAITING_PER_HOST = 10
const RETRY_AFTER_SECONDS = 30
/** An agent that stopped asking this long ago does not wait any more. */
export const WAITING_MS = 7 * 24 * 3600_000

/** What has no effect any more. A declined join token stays refused for the host until the token expires. */
const FORGET = `
DELETE FROM pending_enrollment p USING join_token t WHERE t.id = p.join_token_id AND (
  (p.decision IS NULL AND p.last_at < $1::timestamptz)
  OR (p.decided_at < $1::timestamptz AND (p.decision <> 'declined' OR t.expires_at < $1::timestamptz)))`

const FIND = `
SELECT id, reason, decision, decided_by AS "decidedBy", decided_at AS "decidedAt", used_at AS "usedAt" FROM pending_enrollment
WHERE cloud_id = $1 AND host_name = $2 AND join_token_id = $3 AND requester_hash = $4`

const FIND_DECLINED = `
SELECT 1 FROM pending_enrollment
WHERE cloud_id = $1 AND host_name = $2 AND join_token_id = $3 AND decision = 'declined' LIMIT 1`

const COUNT_WAITING = `
SELECT count(*)::int AS count FROM pending_enrollment WHERE cloud_id = $1 AND host_name = $2 AND decision IS NULL`

const STORE = `
INSERT INTO pending_enrollment
  (cloud_id, host_name, join_token_id, requester_hash, reason, address, agent_version, first_at, last_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8::timestamptz, $8::timestamptz)
ON CONFLICT (cloud_id, host_name, join_token_id, requester_hash) DO UPDATE
  SET reason = excluded.reason, address = excluded.address, agent_version = excluded.agent_version,
    attempts = 1, first_at = excluded.first_at, last_at = excluded.last_at,
    decision = NULL, decided_by = NULL, decided_at = NULL, used_at = NULL
RETURNING id`

const COUNT_ATTEMPT = `
UPDATE pending_enrollment SET attempts = attempts + 1, last_at = $2::timestamptz, address = $3, reason = $4 WHERE id = $1`

const keyOf = ({ cloudId, hostName, joinTokenId, requesterHash }: EnrollmentAttempt) => [
  cloudId,
  hostName,
  joinTokenId,
  requesterHash,
]

const isWaiting = (row: Row): boolean => row.decision === null

const approvalOf = (row: Row, { reason, since }: Hold, now: Date): Approval | null => {
  const { decision, decidedBy, decidedAt, usedAt } = row
  const isOpen = usedAt === null && decidedAt !== null && now.getTime() - decidedAt.getTime() < APPROVAL_MS
  if (!isOpen || row.reason !== reason || (since !== null && decidedAt < since)) return null
  if (decision !== 'approved' && decision !== 'approved as new') return null
  return { by: decidedBy ?? '', asNew: decision === 'approved as new' }
}

const WHY: Readonly<Record<HoldReason, (hostName: string) => string>> = {
  'live-credential': (hostName) =>
    `Host "${hostName}" already has a credential in use, and this join token is not bound to the host.`,
  'removed-host': (hostName) => `Host "${hostName}" was removed from the console.`,
}

const pending = (attempt: EnrollmentAttempt, reason: HoldReason): AgentError =>
  new AgentError(
    'enrollment_pending',
    `${WHY[reason](attempt.hostName)} The enrollment is waiting for approval: an admin decides on request ${requestCode(attempt.requesterHash)} under Settings, Agents.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )

const declined = ({ hostName }: EnrollmentAttempt): AgentError =>
  new AgentError(
    'enrollment_declined',
    `An admin declined the enrollment of host "${hostName}" with this join token. Create a join token that is bound to the host under Settings, Agents.`,
  )

const store = async (query: Query, attempt: EnrollmentAttempt, reason: HoldReason): Promise<void> => {
  const { cloudId, cloud, hostName, joinTokenId, address, agentVersion, now } = attempt
  await query(FORGET, [new Date(now.getTime() - WAITING_MS)])
  const [waiting] = await query(COUNT_WAITING, [cloudId, hostName], uncheckedRow<{ count: number }>())
  if ((waiting?.count ?? 0) >= MAX_WAITING_PER_HOST) return
  await query(STORE, [...keyOf(attempt), reason, address, agentVersion, now])
  await writeAudit(query, {
    at: now,
    actor: ANONYMOUS,
    cloud,
    action: 'enrollment.request',
    subject: `host:${hostName}`,
    before: null,
    after: { reason, request: requestCode(attempt.requesterHash), joinTokenId, address, agentVersion },
  })
}

/**
 * The approval of this attempt by an admin. Else the refusal to send once the transaction has committed, because the
 * transaction stores the attempt. Call it with the join token's row locked. `unusable`: why the join token admits
 * no further host; a request that already waits or is approved outlives that.
 */
export const holdEnrollment = async (
  query: Query,
  attempt: EnrollmentAttempt,
  { hold, unusable }: { hold: Hold; unusable: AgentError | null },
): Promise<AgentError | Approval> => {
  const { cloudId, hostName, joinTokenId, now, address } = attempt
  const { reason } = hold
  const [known] = await query(FIND, keyOf(attempt), uncheckedRow<Row>())
  const approval = known === undefined ? null : approvalOf(known, hold, now)
  if (known !== undefined && approval !== null) {
    await query('UPDATE pending_enrollment SET used_at = $2::timestamptz WHERE id = $1', [known.id, now])
    return approval
  }
  const refused = await query(FIND_DECLINED, [cloudId, hostName, joinTokenId])
  if (refused.length > 0) return declined(attempt)
  if (known !== undefined && isWaiting(known)) await query(COUNT_ATTEMPT, [known.id, now, address, reason])
  else if (unusable !== null) return unusable
  else await store(query, attempt, reason)
  return pending(attempt, reason)
}
