import 'server-only'
import type { DeliveryDetail } from '@/lib/schemas/api/webhook'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { DELIVERY_COLUMNS, deliveryOf, noSuchDelivery } from './delivery-rows'
import { findWebhook } from './webhook-rows'

/** One delivery with its last sent body. */
export const getDelivery = async (
  ctx: ServiceContext,
  { id, delivery }: { id: number; delivery: number },
): Promise<DeliveryDetail> => {
  requirePermission(ctx, 'webhook.list')
  await findWebhook(ctx, ctx.database, { id })
  const row = await ctx.database.prisma.webhookDelivery.findUnique({
    where: { id: BigInt(delivery), webhookId: id },
    select: { ...DELIVERY_COLUMNS, body: true },
  })
  if (row === null) throw noSuchDelivery(delivery)
  return { ...deliveryOf(row), body: row.body }
}
