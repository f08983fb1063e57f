import 'server-only'
import { type UpdateWebhook, updateWebhookSchema } from '@/lib/schemas/api/webhook-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { originOf } from './check-address'
import { refuseTakenName } from './name-taken'
import { findWebhook, sealPurpose, shownWebhook } from './webhook-rows'

const UPDATE = `
UPDATE webhook SET name = $2, origin = $3, sealed_address = $4, form = $5, finding_severity = $6, wants_exhaustion = $7,
  wants_changes = $8, is_enabled = $9 WHERE id = $1`

/** What waits is tried at once when a webhook has another address or is switched on. */
const TRY_NOW = `
UPDATE webhook_delivery SET next_try_at = $2::timestamptz WHERE webhook_id = $1 AND state = 'waiting'`

/** Changes a webhook, switches it on or off. Its secret stays. */
export const updateWebhook = async (
  ctx: ServiceContext,
  { id, body }: { id: number; body: UpdateWebhook },
): Promise<void> => {
  requirePermission(ctx, 'webhook.change')
  const { address, ...wanted } = parseInput(updateWebhookSchema, body)
  const at = ctx.now()
  await ctx.database.transaction(async ({ query }) => {
    const before = await findWebhook(ctx, query, { id, locked: true })
    await refuseTakenName(query, { cloudId: before.cloudId, name: wanted.name, id })
    const origin = address === null ? before.origin : originOf(ctx, address)
    const sealed =
      address === null ? before.sealedAddress : ctx.webhooks.box.seal(address, sealPurpose(id, 'address'))
    const { name, form, findingSeverity, wantsExhaustion, wantsChanges, isEnabled } = wanted
    await query(UPDATE, [
      ...[id, name, origin, sealed, form, findingSeverity, wantsExhaustion, wantsChanges, isEnabled],
    ])
    if (address !== null || (isEnabled && !before.isEnabled)) await query(TRY_NOW, [id, at])
    await writeAudit(query, {
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
