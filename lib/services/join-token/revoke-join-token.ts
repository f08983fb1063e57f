import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import { lockRow } from '@/lib/server/database/lock-row'
import { ServiceError } from '@/lib/server/errors/service-error'
import { logRevocation } from '@/lib/services/restore/log-revocation'
import { joinTokenOf } from './join-token-row'

/** Ends a join token at once. Hosts that enrolled with it stay enrolled. Revoking twice changes nothing. */
export const revokeJoinToken = async (ctx: ServiceContext, { id }: { id: number }): Promise<void> => {
  requirePermission(ctx, 'join-token.revoke')
  const now = ctx.now()
  const isRevoked = await ctx.database.transaction(async ({ query, prisma }) => {
    await lockRow(query, 'join_token', id)
    const found = await prisma.joinToken.findUnique({ where: { id }, include: { cloud: true } })
    if (found === null || !seesCloud(ctx.actor, found.cloud.name))
      throw new ServiceError('not_found', `There is no join token ${id}. Reload the list.`, { field: 'id' })
    if (found.revokedAt !== null) return false
    await prisma.joinToken.update({ where: { id }, data: { revokedAt: now } })
    await writeAudit(query, {
      at: now,
      actor: ctx.actor,
      cloud: found.cloud.name,
      action: 'join-token.revoke',
      subject: `join-token:${id}`,
      before: {
        cloud: found.cloud.name,
        label: found.label,
        uses: found.uses,
        state: joinTokenOf(found, now).state,
      },
      after: { state: 'revoked' },
    })
    return true
  })
  if (isRevoked) logRevocation(ctx.log, { at: now, revoked: [{ kind: 'join-token', id }] })
}
