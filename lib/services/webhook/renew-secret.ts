import 'server-only'
import type { ShownSecret } from '@/lib/schemas/api/webhook'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { newWebhookSecret } from './create-webhook'
import { findWebhook, sealPurpose } from './webhook-rows'

/** Replaces a webhook's secret: from now on everything is signed with the new one, shown in the answer and nowhere else. */
export const renewWebhookSecret = async (
  ctx: ServiceContext,
  { id }: { id: number },
): Promise<ShownSecret> => {
  requirePermission(ctx, 'webhook.change')
  const secret = newWebhookSecret()
  return ctx.database.transaction(async (connection) => {
    const { cloud, name } = await findWebhook(ctx, connection, { id, locked: true })
    const sealedSecret = ctx.webhooks.box.seal(secret, sealPurpose(id, 'secret'))
    await connection.prisma.webhook.update({ where: { id }, data: { sealedSecret } })
    await writeAudit(connection.query, {
      at: ctx.now(),
      actor: ctx.actor,
      cloud,
      action: 'webhook.renew-secret',
      subject: `webhook:${id}`,
      before: { name },
      after: { name },
    })
    return { id, name, secret }
  })
}
