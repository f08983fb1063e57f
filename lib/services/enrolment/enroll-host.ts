import 'server-only'
import type { EnrollRequest, EnrollResponse } from '@/lib/schemas/agent/report'
import { AgentError } from '@/lib/server/agent-api/agent-error'
import {
  formatCredential,
  hashSecret,
  newCredentialSecret,
  readJoinToken,
} from '@/lib/server/agent-api/secrets'
import { writeAudit } from '@/lib/server/audit'
import type { Query } from '@/lib/server/database/database'
import type { ServiceContext } from '@/lib/server/service-context'

type UsedToken = { id: number; cloudId: number; cloud: string; createdAt: Date }

// The row is locked and looked at again after another use of it, so the last use is given away once.
const USE_TOKEN = `
UPDATE join_token t SET uses = t.uses + 1 FROM cloud c
WHERE t.hash = $1 AND c.id = t.cloud_id AND t.revoked_at IS NULL AND t.expires_at > $2::timestamptz
  AND t.uses < t.max_uses AND (t.host_name IS NULL OR t.host_name = $3)
RETURNING t.id, t.cloud_id AS "cloudId", c.name AS cloud, t.created_at AS "createdAt"`

type TokenRow = {
  isRevoked: boolean
  expiresAt: Date
  uses: number
  maxUses: number
  hostName: string | null
}

const FIND_TOKEN = `
SELECT revoked_at IS NOT NULL AS "isRevoked", expires_at AS "expiresAt", uses, max_uses AS "maxUses",
  host_name AS "hostName"
FROM join_token WHERE hash = $1`

const GET_NEW = 'Create a new one under Settings, Agents.'

const unknownToken = () =>
  new AgentError('unauthorized', `The console does not know this join token. ${GET_NEW}`)

const refusal = (
  token: TokenRow | undefined,
  { hostName, now }: { hostName: string; now: Date },
): AgentError => {
  if (token === undefined) return unknownToken()
  if (token.isRevoked) return new AgentError('token_revoked', `The join token was revoked. ${GET_NEW}`)
  if (token.uses >= token.maxUses)
    return new AgentError(
      'token_used_up',
      `The join token was used ${token.uses} of ${token.maxUses} times. ${GET_NEW}`,
    )
  if (token.expiresAt <= now)
    return new AgentError(
      'token_expired',
      `The join token expired at ${token.expiresAt.toISOString()}. ${GET_NEW}`,
    )
  return new AgentError(
    'token_of_other_host',
    `hostName is "${hostName}", but the join token is for host "${token.hostName}". Use a token for this host.`,
    { field: 'hostName' },
  )
}

const consumeToken = async (
  query: Query,
  { hash, hostName, now }: { hash: string; hostName: string; now: Date },
): Promise<UsedToken> => {
  const [used] = await query<UsedToken>(USE_TOKEN, [hash, now, hostName])
  if (used !== undefined) return used
  const [token] = await query<TokenRow>(FIND_TOKEN, [hash])
  throw refusal(token, { hostName, now })
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
  { host, hostName, used }: { host: { id: number; enrolment: number }; hostName: string; used: UsedToken },
): Promise<void> => {
  const [revoked] = await query<{ revokedAt: Date }>(FIND_REVOKED, [host.id, host.enrolment, used.createdAt])
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

/**
 * Enrols a host with a join token: the token is the permission. The host's older credentials are revoked, so a host that is
 * installed anew takes over its own name. Where an admin revoked its last one, the token has to be younger than that.
 */
export const enrollHost = async (
  ctx: Pick<ServiceContext, 'database' | 'now'>,
  { token, request, intervalSeconds }: { token: string; request: EnrollRequest; intervalSeconds: number },
): Promise<Omit<EnrollResponse, 'commandKey'> & { cloudId: number }> => {
  const secretOfToken = readJoinToken(token)
  if (secretOfToken === null) throw unknownToken()
  const { hostName, agentVersion } = request
  const { secret, hash } = newCredentialSecret()
  const now = ctx.now()
  return ctx.database.transaction(async (query) => {
    const used = await consumeToken(query, { hash: hashSecret(secretOfToken), hostName, now })
    const host = onlyRow(
      await query<{ id: number; enrolment: number }>(ENROL_HOST, [used.cloudId, hostName, now]),
    )
    await refuseRevoked(query, { host, hostName, used })
    const revoked = await query<{ id: number }>(REVOKE_OLDER, [host.id, now])
    const params = [used.cloudId, host.id, host.enrolment, hash, now]
    const { id: credentialId } = onlyRow(await query<{ id: number }>(INSERT_CREDENTIAL, params))
    await writeAudit(query, {
      at: now,
      actor: {
        kind: 'agent',
        credentialId,
        cloudId: used.cloudId,
        hostId: host.id,
        hostName,
        enrolment: host.enrolment,
      },
      cloud: used.cloud,
      action: 'agent.enrol',
      subject: `host:${hostName}`,
      before:
        host.enrolment === 1
          ? null
          : { enrolment: host.enrolment - 1, revokedCredentialIds: revoked.map(({ id }) => id) },
      after: {
        cloud: used.cloud,
        enrolment: host.enrolment,
        credentialId,
        joinTokenId: used.id,
        agentVersion,
      },
    })
    return {
      hostName,
      cloud: used.cloud,
      cloudId: used.cloudId,
      credential: formatCredential(credentialId, secret),
      intervalSeconds,
    }
  })
}
