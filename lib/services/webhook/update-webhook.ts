import 'server-only'
import { type UpdateWebhook, updateWebhookSchema } from '@/lib/schemas/api/webhook-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { originOf } from './check-address'
import { refuseTakenName } from './name-taken'
import { findWebhook, sealPurpose, shownWebhook } from './webhook-rows'

/** Changes, enables or disables a webhook. Its secret is unchanged. */
export const updateWebhook = async (
  ctx: ServiceContext,
  { id, body }: { id: number; body: UpdateWebhook },
): Promise<void> => {
  requirePermission(ctx, 'webhook.change')
  const { address, ...wanted } = parseInput(updateWebhookSchema, body)
  const at = ctx.now()
  await ctx.database.transaction(async (connection) => {
    const { prisma } = connection
    const before = await findWebhook(ctx, connection, { id, locked: true })
    await refuseTakenName(prisma, { cloudId: before.cloudId, name: wanted.name, id })
    const origin = address === null ? before.origin : originOf(ctx, address)
    const sealedAddress =
      address === null ? before.sealedAddress : ctx.webhooks.box.seal(address, sealPurpose(id, 'address'))
    await prisma.webhook.update({ where: { id }, data: { ...wanted, origin, sealedAddress } })
    // A new address, or enabling the webhook, retries waiting deliveries immediately.
    if (address !== null || (wanted.isEnabled && !before.isEnabled))
      await prisma.webhookDelivery.updateMany({
        where: { webhookId: id, state: 'waiting' },
        data: { nextTryAt: at },
      })
    await writeAudit(connection.query, {
      at,
      actor: ctx.actor,
      cloud: before.cloud,
      action: 'webhook.change',
      subject: `webhook:${id}`,
      before: shownWebhook(before),
      after: { ...shownWebhook({ ...wanted, origin }), hasNewAddress: address !== null },
    })
  })
}
