import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { isAllowed } from '@/lib/domain/access/permissions'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { ApiToken as Row } from '@/lib/server/prisma-client/client'
import { actorName } from '@/lib/server/session/account-actor'
import { logRevocation } from '@/lib/services/restore/log-revocation'
import { API_TOKEN_COLUMNS } from './api-token-columns'
import { apiTokenOf } from './api-token-row'
import { ownAccount } from './own-account'

const FIND = `SELECT ${API_TOKEN_COLUMNS} FROM api_token WHERE id = $1 FOR NO KEY UPDATE`

/** Ends a token at once: one's own, or as admin anybody's of the cloud. Revoking twice changes nothing. */
export const revokeApiToken = async (ctx: ServiceContext, { id }: { id: number }): Promise<void> => {
  requirePermission(ctx, 'api-token.revoke')
  const { account, role } = ownAccount(ctx)
  const seesAll = isAllowed({ roles: [role], action: 'api-token.list-all' })
  const now = ctx.now()
  const isRevoked = await ctx.database.transaction(async ({ query }) => {
    const [found] = await query(FIND, [id], uncheckedRow<Row>())
    const isSeen = found?.cloud === account.cloud && (seesAll || found.userId === account.userId)
    if (found === undefined || !isSeen)
      throw new ServiceError('not_found', `There is no API token ${id}. Reload the list.`, { field: 'id' })
    if (found.revokedAt !== null) return false
    await query('UPDATE api_token SET revoked_at = $2::timestamptz, revoked_by = $3 WHERE id = $1', [
      id,
      now,
      describeActor(ctx.actor),
    ])
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
