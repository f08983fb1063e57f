import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { DeliveryList } from '@/lib/schemas/api/webhook'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { DELIVERY_COLUMNS, type DeliveryRow, deliveryOf } from './delivery-rows'
import { findWebhook } from './webhook-rows'

const SHOWN = 50

const LIST = `
SELECT ${DELIVERY_COLUMNS} FROM webhook_delivery d WHERE d.webhook_id = $1 ORDER BY d.id DESC LIMIT ${SHOWN}`
const COUNT = 'SELECT count(*)::int AS count FROM webhook_delivery WHERE webhook_id = $1'

/** The log of a webhook, newest first, without the bodies. */
export const listDeliveries = async (ctx: ServiceContext, { id }: { id: number }): Promise<DeliveryList> => {
  requirePermission(ctx, 'webhook.list')
  const { query } = ctx.database
  const { name } = await findWebhook(ctx, query, { id })
  const rows = await query(LIST, [id], uncheckedRow<DeliveryRow>())
  const [all] = await query(COUNT, [id], uncheckedRow<{ count: number }>())
  return { name, deliveries: rows.map(deliveryOf), more: Math.max(0, (all?.count ?? 0) - rows.length) }
}
