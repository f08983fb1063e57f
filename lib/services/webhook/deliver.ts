import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { deliveryRestMs, isGivenUp } from '@/lib/domain/webhook/delivery-rest'
import { webhookEventSchema } from '@/lib/schemas/webhook/webhook-event'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Posted } from '@/lib/server/webhook/post-webhook'
import { bodyOf, sendEvent } from './send-event'
import type { WebhookRow } from './webhook-rows'

type Due = {
  id: number
  eventId: string
  event: unknown
  tries: number
  waitingSince: Date
  webhookId: number
  sealedAddress: string
  sealedSecret: string
  form: WebhookRow['form']
}

/** What breaks off while it is sent is tried again after this: longer than a call takes. */
const LOST_AFTER_MS = 60_000

/** The oldest message of each webhook; those behind it wait, so that all of them arrive in order. */
const DUE = `
SELECT d.id::float8 AS id, d.event_id AS "eventId", d.event, d.tries, d.waiting_since AS "waitingSince", w.id AS "webhookId",
  w.sealed_address AS "sealedAddress", w.sealed_secret AS "sealedSecret", w.form
FROM webhook w CROSS JOIN LATERAL (
  SELECT * FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.state = 'waiting' ORDER BY d.id LIMIT 1) d
WHERE w.is_enabled AND d.next_try_at <= $1::timestamptz AND ($2::int IS NULL OR w.id = $2)
ORDER BY d.next_try_at, d.id`

// Of several consoles one gets the try; should it stop in the middle, the next try comes when its rest is over.
const CLAIM = `
UPDATE webhook_delivery SET tries = tries + 1, tried_at = $3::timestamptz, next_try_at = $4::timestamptz, body = $5
WHERE id = $1 AND state = 'waiting' AND tries = $2 RETURNING tries`

const SETTLE = `
UPDATE webhook_delivery SET state = $3, answered_status = $4, failure = $5, took_ms = $6, next_try_at = $7::timestamptz,
  ended_at = CASE WHEN $3 <> 'waiting' THEN $8::timestamptz END
WHERE id = $1 AND state = 'waiting' AND tries = $2`

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

const settle = async (
  ctx: ServiceContext,
  due: Due,
  { posted, random }: { posted: Posted; random: () => number },
): Promise<void> => {
  const { status, failure, retryAfterSeconds, tookMs } = posted
  const [at, tries] = [ctx.now(), due.tries + 1]
  const restMs = deliveryRestMs({ tries, retryAfterSeconds, random: random() })
  const waitedMs = at.getTime() - due.waitingSince.getTime()
  const failed = isGivenUp({ tries, waitedMs, restMs, status }) ? 'given-up' : 'waiting'
  const state = failure === null ? 'taken' : failed
  await ctx.database.query(SETTLE, [due.id, tries, state, status, failure, tookMs, after(at, restMs), at])
  if (failure !== null)
    ctx.log.warn(
      { webhook: due.webhookId, delivery: due.id, tries, state, failure },
      'Webhook delivery failed',
    )
}

/** The webhooks whose oldest message is due. */
export const listDueWebhooks = async (ctx: ServiceContext): Promise<number[]> =>
  (await ctx.database.query(DUE, [ctx.now(), null], uncheckedRow<Due>())).map(({ webhookId }) => webhookId)

export type DeliverInput = {
  webhookId: number
  /** 0 ≤ random() < 1. */
  random?: () => number
  /** Broken off here, a test sees what a crash leaves. */
  reach?: (place: 'claimed' | 'sent') => void
}

/** Sends the oldest message of a webhook, if it is due; true when it was taken and the next one may follow at once. */
export const deliverNext = async (
  ctx: ServiceContext,
  { webhookId, random = Math.random, reach }: DeliverInput,
): Promise<boolean> => {
  const at = ctx.now()
  const [due] = await ctx.database.query(DUE, [at, webhookId], uncheckedRow<Due>())
  if (due === undefined) return false
  const event = webhookEventSchema.parse(due.event)
  const body = bodyOf(ctx, { form: due.form, event, id: due.eventId })
  const claimed = await ctx.database.query(CLAIM, [due.id, due.tries, at, after(at, LOST_AFTER_MS), body])
  if (claimed.length === 0) return false
  reach?.('claimed')
  const { sealedAddress, sealedSecret, eventId } = due
  const webhook = { id: webhookId, sealedAddress, sealedSecret }
  const posted = await sendEvent(ctx, { webhook, id: eventId, event: event.event, body })
  reach?.('sent')
  await settle(ctx, due, { posted, random })
  return posted.failure === null
}
