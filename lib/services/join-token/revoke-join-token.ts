import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { JoinToken as Row } from '@/lib/server/prisma-client/client'
import { logRevocation } from '@/lib/services/restore/log-revocation'
import { joinTokenOf } from './join-token-row'

const FIND = `
SELECT t.id, t.cloud_id AS "cloudId", t.hash, t.label, t.host_name AS "hostName", t.max_uses AS "maxUses", t.uses,
  t.created_by AS "createdBy", t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.revoked_at AS "revokedAt",
  c.name AS cloud
FROM join_token t JOIN cloud c ON c.id = t.cloud_id WHERE t.id = $1 FOR NO KEY UPDATE OF t`

/** Ends a join token at once. Hosts that enrolled with it stay enrolled. Revoking twice changes nothing. */
export const revokeJoinToken = async (ctx: ServiceContext, { id }: { id: number }): Promise<void> => {
  requirePermission(ctx, 'join-token.revoke')
  const now = ctx.now()
  const isRevoked = await ctx.database.transaction(async ({ query }) => {
    const [found] = await query(FIND, [id], uncheckedRow<Row & { cloud: string }>())
    if (found === undefined || !seesCloud(ctx.actor, found.cloud))
      throw new ServiceError('not_found', `There is no join token ${id}. Reload the list.`, { field: 'id' })
    if (found.revokedAt !== null) return false
    await query('UPDATE join_token SET revoked_at = $2::timestamptz WHERE id = $1', [id, now])
    await writeAudit(query, {
      at: now,
      actor: ctx.actor,
      cloud: found.cloud,
      action: 'join-token.revoke',
      subject: `join-token:${id}`,
      before: {
        cloud: found.cloud,
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
