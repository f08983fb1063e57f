import 'server-only'
import { randomUUID } from 'node:crypto'
import type { WebhookTest } from '@/lib/schemas/api/webhook'
import type { WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { bodyOf, sendEvent } from './send-event'
import { findWebhook } from './webhook-rows'

/** A test is never tried again, so it stands as failed until its outcome is known. */
const BEGIN = `
INSERT INTO webhook_delivery (webhook_id, event_id, event, state, queued_at, waiting_since, tries, next_try_at, tried_at,
  body, failure, ended_at)
VALUES ($1, $2, $3::jsonb, 'given-up', $4::timestamptz, $4::timestamptz, 1, $4::timestamptz, $4::timestamptz, $5,
  'the console stopped before the outcome was known', $4::timestamptz)`

const END = `
UPDATE webhook_delivery SET state = $2, answered_status = $3, failure = $4, took_ms = $5 WHERE event_id = $1`

/** Sends a test at once, also while the webhook is switched off, and tells how it ended. */
export const testWebhook = async (ctx: ServiceContext, { id }: { id: number }): Promise<WebhookTest> => {
  requirePermission(ctx, 'webhook.change')
  const [at, eventId] = [ctx.now(), randomUUID()]
  const { webhook, body } = await ctx.database.transaction(async ({ query }) => {
    const found = await findWebhook(ctx, query, { id })
    const event: WebhookEvent = {
      event: 'test',
      at: at.toISOString(),
      cloud: found.cloud,
      by: describeActor(ctx.actor),
    }
    const text = bodyOf(ctx, { form: found.form, event, id: eventId })
    await query(BEGIN, [id, eventId, JSON.stringify(event), at, text])
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: found.cloud,
      action: 'webhook.test',
      subject: `webhook:${id}`,
      before: null,
      after: { name: found.name, origin: found.origin },
    })
    return { webhook: found, body: text }
  })
  const { status, failure, tookMs } = await sendEvent(ctx, { webhook, id: eventId, event: 'test', body })
  const state = failure === null ? 'taken' : 'given-up'
  await ctx.database.query(END, [eventId, state, status, failure, tookMs])
  return { failure, status, tookMs }
}
