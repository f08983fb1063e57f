import 'server-only'
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { webhookSeveritySchema } from '@/lib/schemas/api/webhook'
import type { WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import type { Query } from '@/lib/server/database/database'

const subscriptionRow = z.object({
  webhookId: z.int(),
  cloud: z.string(),
  findingSeverity: z.nullable(webhookSeveritySchema),
  wantsExhaustion: z.boolean(),
  wantsChanges: z.boolean(),
  wantsFreeFlavors: z.boolean(),
})
export type Subscription = z.infer<typeof subscriptionRow>

// SQL: a row lock, and a short insert that many transactions wait for.
/** Locked until the transaction ends, so that no webhook is deleted while its delivery is inserted. */
const SUBSCRIPTIONS = `
SELECT w.id AS "webhookId", c.name AS cloud, w.finding_severity AS "findingSeverity",
  w.wants_exhaustion AS "wantsExhaustion", w.wants_changes AS "wantsChanges",
  w.wants_free_flavors AS "wantsFreeFlavors"
FROM webhook w JOIN cloud c ON c.id = w.cloud_id WHERE w.cloud_id = $1 AND w.is_enabled ORDER BY w.id FOR KEY SHARE OF w`

/** What the enabled webhooks of a cloud subscribe to. Call it in the transaction that creates the event. */
export const loadSubscriptions = (query: Query, cloudId: number): Promise<Subscription[]> =>
  query(SUBSCRIPTIONS, [cloudId], subscriptionRow)

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
