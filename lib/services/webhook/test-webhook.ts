import 'server-only'
import { randomUUID } from 'node:crypto'
import type { WebhookTest } from '@/lib/schemas/api/webhook'
import type { WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { bodyOf, sendEvent } from './send-event'
import { findWebhook } from './webhook-rows'

/** A test is never tried again, so it is stored as failed until its outcome is known. */
const begun = (at: Date) => ({
  state: 'given-up',
  queuedAt: at,
  waitingSince: at,
  tries: 1,
  nextTryAt: at,
  triedAt: at,
  failure: 'the console stopped before the outcome was known',
  endedAt: at,
})

/** Sends a test immediately, also to a disabled webhook, and returns the result. */
export const testWebhook = async (ctx: ServiceContext, { id }: { id: number }): Promise<WebhookTest> => {
  requirePermission(ctx, 'webhook.change')
  const [at, eventId] = [ctx.now(), randomUUID()]
  const { webhook, body } = await ctx.database.transaction(async (connection) => {
    const found = await findWebhook(ctx, connection, { id })
    const event: WebhookEvent = {
      event: 'test',
      at: at.toISOString(),
      cloud: found.cloud,
      by: describeActor(ctx.actor),
    }
    const text = bodyOf(ctx, { form: found.form, event, id: eventId })
    await connection.prisma.webhookDelivery.create({
      data: { ...begun(at), webhookId: id, eventId, event, body: text },
    })
    await writeAudit(connection.query, {
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
  // None is left where the webhook was deleted in the meantime.
  await ctx.database.prisma.webhookDelivery.updateMany({
    where: { eventId },
    data: { state, answeredStatus: status, failure, tookMs },
  })
  return { failure, status, tookMs }
}
