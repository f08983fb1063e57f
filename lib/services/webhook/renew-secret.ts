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
  return ctx.database.transaction(async ({ query }) => {
    const { cloud, name } = await findWebhook(ctx, query, { id, locked: true })
    const sealed = ctx.webhooks.box.seal(secret, sealPurpose(id, 'secret'))
    await query('UPDATE webhook SET sealed_secret = $2 WHERE id = $1', [id, sealed])
    await writeAudit(query, {
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
