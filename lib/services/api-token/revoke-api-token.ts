import 'server-only'
import { isAllowed } from '@/lib/domain/access/permissions'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { lockRow } from '@/lib/server/database/lock-row'
import { ServiceError } from '@/lib/server/errors/service-error'
import { actorName } from '@/lib/server/session/account-actor'
import { logRevocation } from '@/lib/services/restore/log-revocation'
import { apiTokenOf } from './api-token-row'
import { ownAccount } from './own-account'

/** Ends a token immediately: the caller's own, or as admin any of the cloud. Revoking twice changes nothing. */
export const revokeApiToken = async (ctx: ServiceContext, { id }: { id: number }): Promise<void> => {
  requirePermission(ctx, 'api-token.revoke')
  const { account, role } = ownAccount(ctx)
  const seesAll = isAllowed({ roles: [role], action: 'api-token.list-all' })
  const now = ctx.now()
  const isRevoked = await ctx.database.transaction(async ({ query, prisma }) => {
    await lockRow(query, 'api_token', id)
    const found = await prisma.apiToken.findUnique({ where: { id } })
    const isSeen = found?.cloud === account.cloud && (seesAll || found.userId === account.userId)
    if (found === null || !isSeen)
      throw new ServiceError('not_found', `There is no API token ${id}. Reload the list.`, { field: 'id' })
    if (found.revokedAt !== null) return false
    await prisma.apiToken.update({
      where: { id },
      data: { revokedAt: now, revokedBy: describeActor(ctx.actor) },
    })
    await writeAudit(query, {
      at: now,
      actor: ctx.actor,
      cloud: found.cloud,
      action: 'api-token.revoke',
      subject: `api-token:${id}`,
      before: {
        cloud: found.cloud,
        label: found.label,
        owner: actorName(found),
        state: apiTokenOf(found, { account, now }).state,
      },
      after: { state: 'revoked' },
    })
    return true
  })
  if (isRevoked) logRevocation(ctx.log, { at: now, revoked: [{ kind: 'api-token', id }] })
}
