import 'server-only'
import * as z from 'zod'
import { deliveryRestMs, GIVE_UP_AFTER_MS, isGivenUp } from '@/lib/domain/webhook/delivery-rest'
import { webhookFormSchema } from '@/lib/schemas/api/webhook'
import { webhookEventSchema } from '@/lib/schemas/webhook/webhook-event'
import { createLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { bigintColumn } from '@/lib/server/database/row'
import type { Posted } from '@/lib/server/webhook/post-webhook'
import { bodyOf, sendEvent } from './send-event'
import { sealPurpose } from './webhook-rows'

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

type DeliverInput = {
  webhookId: number
  /** 0 ≤ random() < 1. */
  random?: () => number
  /** With a failure here, a test sees the state after a crash. */
  onPoint?: (point: 'claimed' | 'sent') => void
}

/** Sends the oldest message of a webhook, if it is due; true when it was taken and the next one may follow at once. */
export const deliverNext = async (
  ctx: ServiceContext,
  { webhookId, random = Math.random, onPoint }: DeliverInput,
): Promise<boolean> => {
  const at = ctx.now()
  const [due] = await ctx.database.query(DUE, [at, webhookId], dueRow)
  if (due === undefined) return false
  const event = webhookEventSchema.parse(due.event)
  const body = bodyOf(ctx, { form: due.form, event, id: due.eventId })
  if (!(await claim(ctx, due, { at, body }))) return false
  onPoint?.('claimed')
  const { sealedAddress, sealedSecret, eventId } = due
  const webhook = { id: webhookId, sealedAddress, sealedSecret }
  const posted = await sendEvent(ctx, { webhook, id: eventId, event: event.event, body })
  onPoint?.('sent')
  await settle(ctx, due, { posted, random })
  return posted.failure === null
}

/** `v1.<key id>.…` */
const keyId = (sealed: string): string | undefined => sealed.split('.')[1]

/** Seals with the newest secret what an older one sealed, so that the older one can be taken away. */
export const resealWebhooks = async ({ database, webhooks: { box } }: ServiceContext): Promise<void> => {
  const { webhook } = database.prisma
  const current = keyId(box.seal('', 'which key'))
  const sealed = await webhook.findMany({
    select: { id: true, sealedAddress: true, sealedSecret: true },
    orderBy: { id: 'asc' },
  })
  for (const { id, sealedAddress, sealedSecret } of sealed) {
    if (keyId(sealedAddress) === current && keyId(sealedSecret) === current) continue
    const address = box.open(sealedAddress, sealPurpose(id, 'address'))
    const secret = box.open(sealedSecret, sealPurpose(id, 'secret'))
    if (address === null || secret === null) continue
    // A person may have written another one in the meantime: that one is newer.
    await webhook.updateMany({
      where: { id, sealedAddress, sealedSecret },
      data: {
        sealedAddress: box.seal(address, sealPurpose(id, 'address')),
        sealedSecret: box.seal(secret, sealPurpose(id, 'secret')),
      },
    })
  }
}

const RETENTION_MS = 30 * 24 * 3_600_000
const MAX_RETAINED = 500

// SQL: keeps an earlier failure with coalesce, and numbers the messages of each webhook with a window function.
/** Deliveries of disabled webhooks, which are not attempted. */
const GIVE_UP = `
UPDATE webhook_delivery SET state = 'given-up', ended_at = $1::timestamptz,
  failure = coalesce(failure, 'the webhook was switched off for too long')
WHERE state = 'waiting' AND waiting_since < $2::timestamptz`

const DROP = `
DELETE FROM webhook_delivery WHERE id IN (
  SELECT id FROM (
    SELECT id, ended_at, row_number() OVER (PARTITION BY webhook_id ORDER BY id DESC) AS place
    FROM webhook_delivery WHERE state <> 'waiting') ended
  WHERE ended_at < $1::timestamptz OR place > ${MAX_RETAINED})`

/** Limits the log to 30 days and 500 messages of each webhook, in addition to waiting ones. */
export const keepLog = async ({ database, now }: ServiceContext): Promise<void> => {
  const at = now().getTime()
  await database.query(GIVE_UP, [new Date(at), new Date(at - GIVE_UP_AFTER_MS)])
  await database.query(DROP, [new Date(at - RETENTION_MS)])
}

const LEASE = { name: 'send webhooks', forMs: 60_000 }
const LOOK_MS = 1000
const KEEP_LOG_MS = 600_000
const MAX_AT_ONCE = 8
/** Then another webhook may have its place. */
const MAX_IN_A_ROW = 20

/**
 * Sends what the outbox holds, on one console at a time: several webhooks at once, each of them one message after the
 * other, so that a receiver that is dead delays no other. It holds nothing in memory that matters.
 */
export const startWebhookDeliveries = async (runtime: Runtime): Promise<void> => {
  const { database, log } = runtime
  const ctx = requestContext(runtime, 'webhooks', { kind: 'system' })
  const lease = createLease({ database, log, ...LEASE })
  const busy = new Map<number, Promise<void>>()
  let keepLogAt = 0

  const drain = async (webhookId: number, isStopping: () => boolean): Promise<void> => {
    try {
      for (let sent = 0; sent < MAX_IN_A_ROW && !isStopping(); sent += 1)
        if (!(await deliverNext(ctx, { webhookId }))) return
    } catch (err) {
      log.error({ err, webhook: webhookId }, 'Delivery to a webhook failed; retrying')
    }
  }

  const turn = async (isStopping: () => boolean): Promise<void> => {
    const due = await listDueWebhooks(ctx)
    const isCleaning = performance.now() >= keepLogAt
    if (due.length + busy.size === 0 && !isCleaning) return
    if (!(await lease.hold())) return
    for (const webhookId of due) {
      if (busy.size >= MAX_AT_ONCE) break
      if (busy.has(webhookId)) continue
      busy.set(
        webhookId,
        drain(webhookId, isStopping).finally(() => busy.delete(webhookId)),
      )
    }
    if (!isCleaning) return
    keepLogAt = performance.now() + KEEP_LOG_MS
    await resealWebhooks(ctx)
    await keepLog(ctx)
  }

  const turns = repeat(async (isStopping) => {
    await turn(isStopping).catch((err: unknown) => log.error({ err }, 'Webhooks could not be loaded'))
    return { restMs: LOOK_MS }
  })
  runtime.onStop('stop sending webhooks', async () => {
    await turns.stop()
    await Promise.all(busy.values())
    await lease.release()
  })
}
