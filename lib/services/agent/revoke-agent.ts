import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { logRevokedAgents } from '@/lib/services/restore/log-revocation'

type Row = { host: string; cloud: string; enrolment: number; revokedAt: Date | null }

const FIND = `
SELECT h.name AS host, cl.name AS cloud, c.enrolment, c.revoked_at AS "revokedAt"
FROM agent_credential c JOIN host h ON h.id = c.host_id JOIN cloud cl ON cl.id = c.cloud_id
WHERE c.id = $1 FOR NO KEY UPDATE OF h, c`

/**
 * Ends a host's credential: from the commit on it writes nothing, on any replica. What the host reported stays, and it can
 * be enrolled anew. Revoking twice changes nothing.
 */
export const revokeAgent = async (
  ctx: ServiceContext,
  { credentialId }: { credentialId: number },
): Promise<void> => {
  requirePermission(ctx, 'agent.revoke')
  const now = ctx.now()
  const isRevoked = await ctx.database.transaction(async ({ query }) => {
    const [found] = await query(FIND, [credentialId], uncheckedRow<Row>())
    if (found === undefined || !seesCloud(ctx.actor, found.cloud)) {
      throw new ServiceError('not_found', `There is no agent credential ${credentialId}. Reload the list.`, {
        field: 'credentialId',
      })
    }
    if (found.revokedAt !== null) return false
    await query('UPDATE agent_credential SET revoked_at = $2::timestamptz WHERE id = $1', [credentialId, now])
    await writeAudit(query, {
      at: now,
      actor: ctx.actor,
      cloud: found.cloud,
      action: 'agent.revoke',
      subject: `host:${found.host}`,
      before: { cloud: found.cloud, credentialId, enrolment: found.enrolment, isRevoked: false },
      after: { isRevoked: true },
    })
    return true
  })
  if (isRevoked) logRevokedAgents(ctx.log, { at: now, ids: [credentialId] })
}
