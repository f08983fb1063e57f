import 'server-only'
import * as z from 'zod'
import { deliveryRestMs, isGivenUp } from '@/lib/domain/webhook/delivery-rest'
import { webhookFormSchema } from '@/lib/schemas/api/webhook'
import { webhookEventSchema } from '@/lib/schemas/webhook/webhook-event'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { bigintColumn } from '@/lib/server/database/row'
import type { Posted } from '@/lib/server/webhook/post-webhook'
import { bodyOf, sendEvent } from './send-event'

const dueRow = z.object({
  id: bigintColumn,
  eventId: z.string(),
  event: z.unknown(),
  tries: z.int(),
  waitingSince: z.date(),
  webhookId: z.int(),
  sealedAddress: z.string(),
  sealedSecret: z.string(),
  form: webhookFormSchema,
})
type Due = z.infer<typeof dueRow>

/** An interrupted delivery is retried after this time, which is longer than a call takes. */
const LOST_AFTER_MS = 60_000

// SQL: the oldest message of each webhook is found with a lateral join.
/** The oldest message of each webhook; those behind it wait, so that all of them arrive in order. */
const DUE = `
SELECT d.id, d.event_id AS "eventId", d.event, d.tries, d.waiting_since AS "waitingSince", w.id AS "webhookId",
  w.sealed_address AS "sealedAddress", w.sealed_secret AS "sealedSecret", w.form
FROM webhook w CROSS JOIN LATERAL (
  SELECT * FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.state = 'waiting' ORDER BY d.id LIMIT 1) d
WHERE w.is_enabled AND d.next_try_at <= $1::timestamptz AND ($2::int IS NULL OR w.id = $2)
ORDER BY d.next_try_at, d.id`

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

/** The delivery, unless another console or a person has changed it since it had so many tries. */
const unchanged = ({ id }: Due, tries: number) => ({ id: BigInt(id), state: 'waiting', tries })

/** Of several consoles one gets the try. If it stops before the outcome, the next try comes after `LOST_AFTER_MS`. */
const claim = async (
  { database }: ServiceContext,
  due: Due,
  { at, body }: { at: Date; body: string },
): Promise<boolean> => {
  const { count } = await database.prisma.webhookDelivery.updateMany({
    where: unchanged(due, due.tries),
    data: { tries: { increment: 1 }, triedAt: at, nextTryAt: after(at, LOST_AFTER_MS), body },
  })
  return count > 0
}

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
  await ctx.database.prisma.webhookDelivery.updateMany({
    where: unchanged(due, tries),
    data: {
      state,
      answeredStatus: status,
      failure,
      tookMs,
      nextTryAt: after(at, restMs),
      endedAt: state === 'waiting' ? null : at,
    },
  })
  if (failure !== null)
    ctx.log.warn(
      { webhook: due.webhookId, delivery: due.id, tries, state, failure },
      'Webhook delivery failed',
    )
}

/** The webhooks whose oldest message is due. */
export const listDueWebhooks = async (ctx: ServiceContext): Promise<number[]> =>
  (await ctx.database.query(DUE, [ctx.now(), null], dueRow)).map(({ webhookId }) => webhookId)

export type DeliverInput = {
  webhookId: number
  /** 0 ≤ random() < 1. */
  random?: () => number
  /** With a failure here, a test sees the state after a crash. */
  reach?: (place: 'claimed' | 'sent') => void
}

/** Sends the oldest message of a webhook, if it is due; true when it was taken and the next one may follow at once. */
export const deliverNext = async (
  ctx: ServiceContext,
  { webhookId, random = Math.random, reach }: DeliverInput,
): Promise<boolean> => {
  const at = ctx.now()
  const [due] = await ctx.database.query(DUE, [at, webhookId], dueRow)
  if (due === undefined) return false
  const event = webhookEventSchema.parse(due.event)
  const body = bodyOf(ctx, { form: due.form, event, id: due.eventId })
  if (!(await claim(ctx, due, { at, body }))) return false
  reach?.('claimed')
  const { sealedAddress, sealedSecret, eventId } = due
  const webhook = { id: webhookId, sealedAddress, sealedSecret }
  const posted = await sendEvent(ctx, { webhook, id: eventId, event: event.event, body })
  reach?.('sent')
  await settle(ctx, due, { posted, random })
  return posted.failure === null
}
