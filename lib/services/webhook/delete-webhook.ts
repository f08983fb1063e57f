import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { findWebhook, shownWebhook } from './webhook-rows'

/** Deletes a webhook with its log; waiting messages are not sent. */
export const deleteWebhook = async (ctx: ServiceContext, { id }: { id: number }): Promise<void> => {
  requirePermission(ctx, 'webhook.change')
  await ctx.database.transaction(async (connection) => {
    const before = await findWebhook(ctx, connection, { id, locked: true })
    await connection.prisma.webhook.delete({ where: { id } })
    await writeAudit(connection.query, {
      at: ctx.now(),
      actor: ctx.actor,
      cloud: before.cloud,
      action: 'webhook.delete',
      subject: `webhook:${id}`,
      before: shownWebhook(before),
      after: null,
    })
  })
}
