import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { noSuchDelivery } from './delivery-rows'
import { findWebhook } from './webhook-rows'

// SQL: a row lock.
const LOCK = 'SELECT 1 FROM webhook_delivery WHERE webhook_id = $1 AND id = $2 FOR NO KEY UPDATE'

/**
 * Sends a delivery once more, with the same id, as soon as those before it are through; one that waits is tried now. It
 * takes a webhook that is switched on.
 */
export const sendAgain = async (
  ctx: ServiceContext,
  { id, delivery }: { id: number; delivery: number },
): Promise<void> => {
  requirePermission(ctx, 'webhook.change')
  const at = ctx.now()
  await ctx.database.transaction(async (connection) => {
    const { prisma, query } = connection
    const webhook = await findWebhook(ctx, connection, { id })
    if (!webhook.isEnabled)
      throw new ServiceError('conflict', `"${webhook.name}" is switched off: switch it on, then send again.`)
    await query(LOCK, [id, delivery])
    const where = { id: BigInt(delivery), webhookId: id }
    const row = await prisma.webhookDelivery.findUnique({
      where,
      select: { eventId: true, state: true, tries: true },
    })
    if (row === null) throw noSuchDelivery(delivery)
    const again = { state: 'waiting', tries: 0, waitingSince: at, nextTryAt: at, endedAt: null }
    await prisma.webhookDelivery.update({
      where,
      data: row.state === 'waiting' ? { nextTryAt: at } : again,
    })
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: webhook.cloud,
      action: 'webhook.send-again',
      subject: `webhook:${id}/delivery:${row.eventId}`,
      before: { state: row.state, tries: row.tries },
      after: { state: 'waiting' },
    })
  })
}
