import 'server-only'
import type { DeliveryList } from '@/lib/schemas/api/webhook'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { DELIVERY_COLUMNS, deliveryOf } from './delivery-rows'
import { findWebhook } from './webhook-rows'

const SHOWN = 50

/** The log of a webhook, newest first, without the bodies. */
export const listDeliveries = async (ctx: ServiceContext, { id }: { id: number }): Promise<DeliveryList> => {
  requirePermission(ctx, 'webhook.list')
  const { name } = await findWebhook(ctx, ctx.database, { id })
  const { webhookDelivery } = ctx.database.prisma
  const where = { webhookId: id }
  const rows = await webhookDelivery.findMany({
    where,
    select: DELIVERY_COLUMNS,
    orderBy: { id: 'desc' },
    take: SHOWN,
  })
  const all = await webhookDelivery.count({ where })
  return { name, deliveries: rows.map(deliveryOf), more: Math.max(0, all - rows.length) }
}
