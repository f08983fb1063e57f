import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { noSuchDelivery } from './delivery-rows'
import { findWebhook } from './webhook-rows'

type Row = { eventId: string; state: string; tries: number }

const FIND = `
SELECT event_id AS "eventId", state, tries FROM webhook_delivery WHERE webhook_id = $1 AND id = $2 FOR NO KEY UPDATE`

const AGAIN = `
UPDATE webhook_delivery SET state = 'waiting', tries = 0, waiting_since = $2::timestamptz, next_try_at = $2::timestamptz,
  ended_at = NULL WHERE id = $1`

const NOW = 'UPDATE webhook_delivery SET next_try_at = $2::timestamptz WHERE id = $1'

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
  await ctx.database.transaction(async ({ query }) => {
    const webhook = await findWebhook(ctx, query, { id })
    if (!webhook.isEnabled)
      throw new ServiceError('conflict', `"${webhook.name}" is switched off: switch it on, then send again.`)
    const [row] = await query(FIND, [id, delivery], uncheckedRow<Row>())
    if (row === undefined) throw noSuchDelivery(delivery)
    await query(row.state === 'waiting' ? NOW : AGAIN, [delivery, at])
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
