import 'server-only'
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { webhookSeveritySchema } from '@/lib/schemas/api/webhook'
import type { WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import type { Query } from '@/lib/server/database/database'

const wishesRow = z.object({
  webhookId: z.int(),
  cloud: z.string(),
  findingSeverity: z.nullable(webhookSeveritySchema),
  wantsExhaustion: z.boolean(),
  wantsChanges: z.boolean(),
})
export type Wishes = z.infer<typeof wishesRow>

// SQL: a row lock, and statements of the transaction that makes the event.
/** Held until the transaction ends, so that none is deleted below what is written for it. */
const WISHES = `
SELECT w.id AS "webhookId", c.name AS cloud, w.finding_severity AS "findingSeverity",
  w.wants_exhaustion AS "wantsExhaustion", w.wants_changes AS "wantsChanges"
FROM webhook w JOIN cloud c ON c.id = w.cloud_id WHERE w.cloud_id = $1 AND w.is_enabled ORDER BY w.id FOR KEY SHARE OF w`

/** What the webhooks of a cloud that are switched on want to be told. In the transaction that makes the event. */
export const loadWishes = (query: Query, cloudId: number): Promise<Wishes[]> =>
  query(WISHES, [cloudId], wishesRow)

const QUEUE = `
INSERT INTO webhook_delivery (webhook_id, event_id, event, queued_at, waiting_since, next_try_at)
VALUES ($1, $2, $3::jsonb, $4::timestamptz, $4::timestamptz, $4::timestamptz)`

/** Puts an event into the outbox of one webhook, in the transaction that makes it: both are there, or neither. */
export const queueEvent = async (
  query: Query,
  { webhookId, event, at }: { webhookId: number; event: WebhookEvent; at: Date },
): Promise<void> => {
  await query(QUEUE, [webhookId, randomUUID(), JSON.stringify(event), at])
}
