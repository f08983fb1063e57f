import 'server-only'
import * as z from 'zod'
import type { EnrollRequest, EnrollResponse } from '@/lib/schemas/agent/report'
import { writeAudit } from '@/lib/server/audit/audit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Connection, Query } from '@/lib/server/database/database'
import { AgentError } from '@/lib/server/errors/agent-error'
import type { JoinToken } from '@/lib/server/prisma-client/client'
import {
  formatCredential,
  hashSecret,
  newCredentialSecret,
  readJoinToken,
} from '@/lib/server/secrets/agent-secrets'
import { type Approval, type Hold, holdEnrollment } from '@/lib/services/enrollment-request/hold-enrollment'
import { returnRemoved } from '@/lib/services/host/return-removed'
import { logRevokedAgents } from '@/lib/services/restore/log-revocation'

type Token = JoinToken & { cloud: { name: string } }

// SQL: row locks. Of two hosts that meet at the last use, the second one sees that it is gone.
const LOCK_TOKEN = 'SELECT 1 FROM join_token WHERE hash = $1 FOR NO KEY UPDATE'

// A request that an admin approved counts, and passes where the last use went to others in the meantime.
const USE_TOKEN = 'UPDATE join_token SET uses = LEAST(uses + 1, max_uses) WHERE id = $1'

const GET_NEW = 'Create a new one under Settings, Agents.'

const unknownToken = () =>
  new AgentError('unauthorized', `The console does not know this join token. ${GET_NEW}`)

/** What no approval can make up for. */
const checkToken = (token: Token, hostName: string): void => {
  if (token.revokedAt !== null)
    throw new AgentError('token_revoked', `The join token was revoked. ${GET_NEW}`)
  if (token.hostName !== null && token.hostName !== hostName)
    throw new AgentError(
      'token_of_other_host',
      `hostName is "${hostName}", but the join token is for host "${token.hostName}". Use a token for this host.`,
      { field: 'hostName' },
    )
}

/** Why the token admits no further host; null: it does. */
const whyUnusable = (token: Token, now: Date): AgentError | null => {
  if (token.uses >= token.maxUses)
    return new AgentError(
      'token_used_up',
      `The join token was used ${token.uses} of ${token.maxUses} times. ${GET_NEW}`,
    )
  if (token.expiresAt > now) return null
  return new AgentError(
    'token_expired',
    `The join token expired at ${token.expiresAt.toISOString()}. ${GET_NEW}`,
  )
}

const lockToken = async ({ query, prisma }: Connection, hash: string): Promise<Token> => {
  await query(LOCK_TOKEN, [hash])
  const token = await prisma.joinToken.findUnique({ where: { hash }, include: { cloud: true } })
  if (token === null) throw unknownToken()
  return token
}

// `boot` is 0 until the first report of an enrollment: a credential that was never used may be one whose answer got lost.
const FIND_LIVE = `
SELECT 1 FROM host h JOIN agent_credential c ON c.host_id = h.id AND c.enrolment = h.enrolment
WHERE h.cloud_id = $1 AND h.name = $2 AND h.boot > 0 AND c.revoked_at IS NULL FOR NO KEY UPDATE OF h`

const FIND_REMOVED = `
SELECT removed_at AS "removedAt" FROM host WHERE cloud_id = $1 AND name = $2 AND removed_at IS NOT NULL FOR NO KEY UPDATE`
const removedRow = z.object({ removedAt: z.date() })

/** Why only an admin can let the host in with this token; null: the token is enough. */
const whyHeld = async (
  query: Query,
  { token, hostName }: { token: Token; hostName: string },
): Promise<Hold | null> => {
  const [removed] = await query(FIND_REMOVED, [token.cloudId, hostName], removedRow)
  if (removed !== undefined) return { reason: 'removed-host', since: removed.removedAt }
  if (token.hostName !== null) return null
  const live = await query(FIND_LIVE, [token.cloudId, hostName])
  return live.length > 0 ? { reason: 'live-credential', since: null } : null
}

// A new enrolment restarts its positions; the rows of the host's last report stay until the next one.
const ENROL_HOST = `
INSERT INTO host (cloud_id, name, enrolment, created_at, changed_xid)
VALUES ($1, $2, 1, $3::timestamptz, pg_current_xact_id()::text::bigint)
ON CONFLICT (cloud_id, name) DO UPDATE SET enrolment = host.enrolment + 1, boot = 0, sequence = 0, digest = NULL,
  changed_xid = excluded.changed_xid
RETURNING id, enrolment`
const hostRow = z.object({ id: z.int(), enrolment: z.int() })

/**
 * A revoked host must stay out, even with the tokens that its agent still has: only a token that was created after the
 * revocation readmits it. Call this when the host's row is locked.
 */
const refuseRevoked = async (
  { prisma }: Connection,
  { host, hostName, token }: { host: { id: number; enrolment: number }; hostName: string; token: Token },
): Promise<void> => {
  // Of the enrollment before: an older one's was revoked by the one that followed it.
  const revoked = await prisma.agentCredential.findFirst({
    where: { hostId: host.id, enrolment: host.enrolment - 1, revokedAt: { gt: token.createdAt } },
  })
  if (revoked === null || revoked.revokedAt === null) return
  throw new AgentError(
    'host_revoked',
    `The credential of host "${hostName}" was revoked at ${revoked.revokedAt.toISOString()}, after this join token was made. ${GET_NEW}`,
  )
}

type Admission = {
  token: Token
  request: EnrollRequest
  now: Date
  /** Null: the token is enough. */
  approval: Approval | null
}

/** Gives the host a new credential, and revokes the older ones. */
const admitHost = async (
  connection: Connection,
  { token, request, now, approval }: Admission,
): Promise<Admitted> => {
  const { query, prisma } = connection
  const { hostName, agentVersion } = request
  const { cloudId } = token
  const cloud = token.cloud.name
  const { secret, hash } = newCredentialSecret()
  await query(USE_TOKEN, [token.id])
  if (approval !== null) await returnRemoved(connection, { cloudId, cloud, hostName, approval, now })
  const [host] = await query(ENROL_HOST, [cloudId, hostName, now], hostRow)
  if (host === undefined) throw new Error('INSERT with RETURNING returned no row')
  const { id: hostId, enrolment } = host
  // The admin who approved the request knows that the credential was revoked.
  if (approval === null) await refuseRevoked(connection, { host, hostName, token })
  const revoked = await prisma.agentCredential.updateManyAndReturn({
    where: { hostId, revokedAt: null },
    data: { revokedAt: now },
    select: { id: true },
  })
  const { id: credentialId } = await prisma.agentCredential.create({
    data: { cloudId, hostId, enrolment, secretHash: hash, createdAt: now },
    select: { id: true },
  })
  await writeAudit(query, {
    at: now,
    actor: { kind: 'agent', credentialId, cloudId, hostId, hostName, enrolment },
    cloud,
    action: 'agent.enrol',
    subject: `host:${hostName}`,
    before:
      enrolment === 1
        ? null
        : { enrolment: enrolment - 1, revokedCredentialIds: revoked.map(({ id }) => id) },
    after: { cloud, enrolment, credentialId, joinTokenId: token.id, agentVersion },
  })
  return {
    hostName,
    cloud,
    cloudId,
    credential: formatCredential(credentialId, secret),
    revokedIds: revoked.map(({ id }) => id),
  }
}

type EnrollmentInput = {
  token: string
  request: EnrollRequest
  intervalSeconds: number
  /** Where the request comes from. */
  address: string
  /** Distinguishes the agent from others with the same token; agents of earlier releases send nothing. */
  requester: string | null
}

type Enrolled = Omit<EnrollResponse, 'commandKey'> & { cloudId: number }
type Admitted = Omit<Enrolled, 'intervalSeconds'> & { revokedIds: number[] }

/**
 * Enrolls a host with a join token. The host's older credentials are revoked. The token is the permission, except where the
 * host has a credential in use: that is replaced only by a token that is bound to the host, or when an admin approves it.
 * Where an admin revoked the host's last credential, the token has to be younger than that.
 */
export const enrollHost = async (
  ctx: Pick<ServiceContext, 'database' | 'now' | 'log'>,
  { token: text, request, intervalSeconds, address, requester }: EnrollmentInput,
): Promise<Enrolled> => {
  const secretOfToken = readJoinToken(text)
  if (secretOfToken === null) throw unknownToken()
  const { hostName, agentVersion } = request
  const now = ctx.now()
  const outcome = await ctx.database.transaction(async (connection): Promise<Admitted | AgentError> => {
    const token = await lockToken(connection, hashSecret(secretOfToken))
    checkToken(token, hostName)
    const unusable = whyUnusable(token, now)
    const hold = await whyHeld(connection.query, { token, hostName })
    const admission = { token, request, now }
    if (hold === null) {
      if (unusable !== null) throw unusable
      return admitHost(connection, { ...admission, approval: null })
    }
    const { cloudId, id: joinTokenId } = token
    const cloud = token.cloud.name
    const requesterHash = hashSecret(requester ?? `address:${address}`)
    const attempt = { cloudId, cloud, hostName, joinTokenId, requesterHash, address, agentVersion, now }
    const approval = await holdEnrollment(connection, attempt, { hold, unusable })
    if (approval instanceof AgentError) return approval
    return admitHost(connection, { ...admission, approval })
  })
  if (outcome instanceof AgentError) throw outcome
  const { revokedIds, ...enrolled } = outcome
  logRevokedAgents(ctx.log, { at: now, ids: revokedIds })
  return { ...enrolled, intervalSeconds }
}
