import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { DeliveryDetail } from '@/lib/schemas/api/webhook'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { DELIVERY_COLUMNS, type DeliveryRow, deliveryOf, noSuchDelivery } from './delivery-rows'
import { findWebhook } from './webhook-rows'

const FIND = `
SELECT ${DELIVERY_COLUMNS}, d.body FROM webhook_delivery d WHERE d.webhook_id = $1 AND d.id = $2`

/** One delivery with its body as it was sent last. */
export const getDelivery = async (
  ctx: ServiceContext,
  { id, delivery }: { id: number; delivery: number },
): Promise<DeliveryDetail> => {
  requirePermission(ctx, 'webhook.list')
  const { query } = ctx.database
  await findWebhook(ctx, query, { id })
  const [row] = await query(FIND, [id, delivery], uncheckedRow<DeliveryRow & { body: string | null }>())
  if (row === undefined) throw noSuchDelivery(delivery)
  return { ...deliveryOf(row), body: row.body }
}
