import 'server-only'
import type { HoldReason } from '@/lib/schemas/states'
import { writeAudit } from '@/lib/server/audit/audit'
import { ANONYMOUS } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { AgentError } from '@/lib/server/errors/agent-error'
import type { PendingEnrollment } from '@/lib/server/prisma-client/client'
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

/** An admin lets the host in. `asNew`: as another host than the one of that name before. */
export type Approval = { by: string; asNew: boolean }

/** An approval that no agent has used by then is void, so that it can't be used months later. */
const APPROVAL_MS = 24 * 3600_000
/** Waiting requests of one host: a holder of a join token must not fill the database. */
const MAX_WAITING_PER_HOST = 10
const RETRY_AFTER_SECONDS = 30
/** An agent that stopped asking this long ago does not wait any more. */
export const WAITING_MS = 7 * 24 * 3600_000

const approvalOf = (row: PendingEnrollment, { reason, since }: Hold, now: Date): Approval | null => {
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

const store = async (
  { query, prisma }: Connection,
  attempt: EnrollmentAttempt,
  reason: HoldReason,
): Promise<void> => {
  const { cloudId, cloud, hostName, joinTokenId, requesterHash, address, agentVersion, now } = attempt
  const { pendingEnrollment } = prisma
  const before = { lt: new Date(now.getTime() - WAITING_MS) }
  // What has no effect any more. A declined join token stays refused for the host until the token expires.
  await pendingEnrollment.deleteMany({
    where: {
      OR: [
        { decision: null, lastAt: before },
        { decidedAt: before, decision: { not: 'declined' } },
        { decidedAt: before, joinToken: { expiresAt: before } },
      ],
    },
  })
  const waiting = await pendingEnrollment.count({ where: { cloudId, hostName, decision: null } })
  if (waiting >= MAX_WAITING_PER_HOST) return
  const key = { cloudId, hostName, joinTokenId, requesterHash }
  const row = { reason, address, agentVersion, firstAt: now, lastAt: now }
  await pendingEnrollment.upsert({
    where: { cloudId_hostName_joinTokenId_requesterHash: key },
    create: { ...key, ...row },
    update: { ...row, attempts: 1, decision: null, decidedBy: null, decidedAt: null, usedAt: null },
  })
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
  connection: Connection,
  attempt: EnrollmentAttempt,
  { hold, unusable }: { hold: Hold; unusable: AgentError | null },
): Promise<AgentError | Approval> => {
  const { cloudId, hostName, joinTokenId, requesterHash, now, address } = attempt
  const { reason } = hold
  const { pendingEnrollment } = connection.prisma
  const key = { cloudId, hostName, joinTokenId, requesterHash }
  const known = await pendingEnrollment.findUnique({
    where: { cloudId_hostName_joinTokenId_requesterHash: key },
  })
  const approval = known === null ? null : approvalOf(known, hold, now)
  // Enrollments with another join token delete what has expired, so the row may be gone.
  if (known !== null && approval !== null) {
    await pendingEnrollment.updateMany({ where: { id: known.id }, data: { usedAt: now } })
    return approval
  }
  const ofToken = { cloudId, hostName, joinTokenId }
  if ((await pendingEnrollment.count({ where: { ...ofToken, decision: 'declined' } })) > 0)
    return declined(attempt)
  if (known?.decision === null)
    await pendingEnrollment.updateMany({
      where: { id: known.id },
      data: { attempts: { increment: 1 }, lastAt: now, address, reason },
    })
  else if (unusable !== null) return unusable
  else await store(connection, attempt, reason)
  return pending(attempt, reason)
}
