import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { EnrollRequest, EnrollResponse } from '@/lib/schemas/agent/report'
import { writeAudit } from '@/lib/server/audit/audit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { AgentError } from '@/lib/server/errors/agent-error'
import {
  formatCredential,
  hashSecret,
  newCredentialSecret,
  readJoinToken,
} from '@/lib/server/secrets/agent-secrets'
import { type Approval, type Hold, holdEnrollment } from '@/lib/services/enrollment-request/hold-enrollment'
import { returnRemoved } from '@/lib/services/host/return-removed'
import { logRevokedAgents } from '@/lib/services/restore/log-revocation'

type TokenRow = {
  id: number
  cloudId: number
  cloud: string
  createdAt: Date
  isRevoked: boolean
  expiresAt: Date
  uses: number
  maxUses: number
  hostName: string | null
}

// Locked: of two hosts that meet at the last use, the second one sees that it is gone.
const LOCK_TOKEN = `
SELECT t.id, t.cloud_id AS "cloudId", c.name AS cloud, t.created_at AS "createdAt", t.revoked_at IS NOT NULL AS "isRevoked",
  t.expires_at AS "expiresAt", t.uses, t.max_uses AS "maxUses", t.host_name AS "hostName"
FROM join_token t JOIN cloud c ON c.id = t.cloud_id WHERE t.hash = $1 FOR NO KEY UPDATE OF t`

// A request that an admin approved counts, and passes where the last use went to others in the meantime.
const USE_TOKEN = 'UPDATE join_token SET uses = LEAST(uses + 1, max_uses) WHERE id = $1'

const GET_NEW = 'Create a new one under Settings, Agents.'

const unknownToken = () =>
  new AgentError('unauthorized', `The console does not know this join token. ${GET_NEW}`)

/** What no approval can make up for. */
const checkToken = (token: TokenRow, hostName: string): void => {
  if (token.isRevoked) throw new AgentError('token_revoked', `The join token was revoked. ${GET_NEW}`)
  if (token.hostName !== null && token.hostName !== hostName)
    throw new AgentError(
      'token_of_other_host',
      `hostName is "${hostName}", but the join token is for host "${token.hostName}". Use a token for this host.`,
      { field: 'hostName' },
    )
}

/** Why the token admits no further host; null: it does. */
const whyUnusable = (token: TokenRow, now: Date): AgentError | null => {
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

const lockToken = async (query: Query, hash: string): Promise<TokenRow> => {
  const [token] = await query(LOCK_TOKEN, [hash], uncheckedRow<TokenRow>())
  if (token === undefined) throw unknownToken()
  return token
}

// `boot` is 0 until the first report of an enrollment: a credential that was never used may be one whose answer got lost.
const FIND_LIVE = `
SELECT 1 FROM host h JOIN agent_credential c ON c.host_id = h.id AND c.enrolment = h.enrolment
WHERE h.cloud_id = $1 AND h.name = $2 AND h.boot > 0 AND c.revoked_at IS NULL FOR NO KEY UPDATE OF h`

const FIND_REMOVED = `
SELECT removed_at AS "removedAt" FROM host WHERE cloud_id = $1 AND name = $2 AND removed_at IS NOT NULL FOR NO KEY UPDATE`

/** Why only an admin can let the host in with this token; null: the token is enough. */
const whyHeld = async (
  query: Query,
  { token, hostName }: { token: TokenRow; hostName: string },
): Promise<Hold | null> => {
  const [removed] = await query(FIND_REMOVED, [token.cloudId, hostName], uncheckedRow<{ removedAt: Date }>())
  if (removed !== undefined) return { reason: 'removed-host', since: removed.removedAt }
  if (token.hostName !== null) return null
  const live = await query(FIND_LIVE, [token.cloudId, hostName])
  return live.length > 0 ? { reason: 'live-credential', since: null } : null
}

// A new enrolment starts its positions anew; the rows of the host's last report stay until the next one.
const ENROL_HOST = `
INSERT INTO host (cloud_id, name, enrolment, created_at, changed_xid)
VALUES ($1, $2, 1, $3::timestamptz, pg_current_xact_id()::text::bigint)
ON CONFLICT (cloud_id, name) DO UPDATE SET enrolment = host.enrolment + 1, boot = 0, sequence = 0, digest = NULL,
  changed_xid = excluded.changed_xid
RETURNING id, enrolment`

/** Of the enrolment before: an older one's was revoked by the one that followed it. */
const FIND_REVOKED = `
SELECT revoked_at AS "revokedAt" FROM agent_credential WHERE host_id = $1 AND enrolment = $2 - 1 AND revoked_at > $3::timestamptz`

/**
 * Whoever revoked the host's credential meant it to stay out, whatever its agent still holds: only a token that was made
 * afterwards takes it back in. To be called when the host's row is locked.
 */
const refuseRevoked = async (
  query: Query,
  { host, hostName, token }: { host: { id: number; enrolment: number }; hostName: string; token: TokenRow },
): Promise<void> => {
  const [revoked] = await query(
    FIND_REVOKED,
    [host.id, host.enrolment, token.createdAt],
    uncheckedRow<{ revokedAt: Date }>(),
  )
  if (revoked === undefined) return
  throw new AgentError(
    'host_revoked',
    `The credential of host "${hostName}" was revoked at ${revoked.revokedAt.toISOString()}, after this join token was made. ${GET_NEW}`,
  )
}

const REVOKE_OLDER = `
UPDATE agent_credential SET revoked_at = $2::timestamptz WHERE host_id = $1 AND revoked_at IS NULL RETURNING id`

const INSERT_CREDENTIAL = `
INSERT INTO agent_credential (cloud_id, host_id, enrolment, secret_hash, created_at)
VALUES ($1, $2, $3, $4, $5::timestamptz) RETURNING id`

const onlyRow = <Row>(rows: readonly Row[]): Row => {
  const [row] = rows
  if (row === undefined) throw new Error('a statement with RETURNING gave no row')
  return row
}

type Admission = {
  token: TokenRow
  request: EnrollRequest
  now: Date
  /** Null: the token is enough. */
  approval: Approval | null
}

/** Gives the host a new credential, and revokes the older ones. */
const admitHost = async (query: Query, { token, request, now, approval }: Admission): Promise<Admitted> => {
  const { hostName, agentVersion } = request
  const { cloudId, cloud } = token
  const { secret, hash } = newCredentialSecret()
  await query(USE_TOKEN, [token.id])
  if (approval !== null) await returnRemoved(query, { cloudId, cloud, hostName, approval, now })
  const host = onlyRow(
    await query(ENROL_HOST, [cloudId, hostName, now], uncheckedRow<{ id: number; enrolment: number }>()),
  )
  const { id: hostId, enrolment } = host
  // The admin who approved the request knows that the credential was revoked.
  if (approval === null) await refuseRevoked(query, { host, hostName, token })
  const revoked = await query(REVOKE_OLDER, [hostId, now], uncheckedRow<{ id: number }>())
  const params = [cloudId, hostId, enrolment, hash, now]
  const { id: credentialId } = onlyRow(await query(INSERT_CREDENTIAL, params, uncheckedRow<{ id: number }>()))
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
  const outcome = await ctx.database.transaction(async ({ query }): Promise<Admitted | AgentError> => {
    const token = await lockToken(query, hashSecret(secretOfToken))
    checkToken(token, hostName)
    const unusable = whyUnusable(token, now)
    const hold = await whyHeld(query, { token, hostName })
    const admission = { token, request, now }
    if (hold === null) {
      if (unusable !== null) throw unusable
      return admitHost(query, { ...admission, approval: null })
    }
    const { cloudId, cloud, id: joinTokenId } = token
    const requesterHash = hashSecret(requester ?? `address:${address}`)
    const attempt = { cloudId, cloud, hostName, joinTokenId, requesterHash, address, agentVersion, now }
    const approval = await holdEnrollment(query, attempt, { hold, unusable })
    if (approval instanceof AgentError) return approval
    return admitHost(query, { ...admission, approval })
  })
  if (outcome instanceof AgentError) throw outcome
  const { revokedIds, ...enrolled } = outcome
  logRevokedAgents(ctx.log, { at: now, ids: revokedIds })
  return { ...enrolled, intervalSeconds }
}
