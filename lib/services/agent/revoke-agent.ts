import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { logRevokedAgents } from '@/lib/services/restore/log-revocation'

// SQL: Prisma has no row locks. The host's row is locked too, as an enrollment does.
const LOCK = `
SELECT 1 FROM agent_credential c JOIN host h ON h.id = c.host_id WHERE c.id = $1 FOR NO KEY UPDATE OF h, c`

/**
 * Ends a host's credential: from the commit on it writes nothing, on any replica. The host's reports stay, and it can be
 * enrolled again. Revoking twice changes nothing.
 */
export const revokeAgent = async (
  ctx: ServiceContext,
  { credentialId }: { credentialId: number },
): Promise<void> => {
  requirePermission(ctx, 'agent.revoke')
  const now = ctx.now()
  const isRevoked = await ctx.database.transaction(async ({ query, prisma }) => {
    await query(LOCK, [credentialId])
    const found = await prisma.agentCredential.findUnique({
      where: { id: credentialId },
      include: { host: { select: { name: true } }, cloud: { select: { name: true } } },
    })
    if (found === null || !seesCloud(ctx.actor, found.cloud.name)) {
      throw new ServiceError('not_found', `There is no agent credential ${credentialId}. Reload the list.`, {
        field: 'credentialId',
      })
    }
    if (found.revokedAt !== null) return false
    await prisma.agentCredential.update({ where: { id: credentialId }, data: { revokedAt: now } })
    await writeAudit(query, {
      at: now,
      actor: ctx.actor,
      cloud: found.cloud.name,
      action: 'agent.revoke',
      subject: `host:${found.host.name}`,
      before: { cloud: found.cloud.name, credentialId, enrolment: found.enrolment, isRevoked: false },
      after: { isRevoked: true },
    })
    return true
  })
  if (isRevoked) logRevokedAgents(ctx.log, { at: now, ids: [credentialId] })
}
