import 'server-only'
import { eventWords } from '@/lib/domain/webhook/event-words'
import type { WebhookDelivery } from '@/lib/schemas/api/webhook'
import { webhookEventSchema } from '@/lib/schemas/webhook/webhook-event'
import { ServiceError } from '@/lib/server/errors/service-error'

export type DeliveryRow = {
  id: number
  eventId: string
  event: unknown
  state: WebhookDelivery['state']
  queuedAt: Date
  nextTryAt: Date
  triedAt: Date | null
  tries: number
  status: number | null
  failure: string | null
  tookMs: number | null
}

/** Of `webhook_delivery d`, without its body. */
export const DELIVERY_COLUMNS = `
d.id::float8 AS id, d.event_id AS "eventId", d.event, d.state, d.queued_at AS "queuedAt", d.next_try_at AS "nextTryAt",
d.tried_at AS "triedAt", d.tries, d.answered_status AS status, d.failure, d.took_ms AS "tookMs"`

export const deliveryOf = (row: DeliveryRow): WebhookDelivery => {
  const event = webhookEventSchema.parse(row.event)
  const { id, eventId, state, tries, status, failure, tookMs } = row
  return {
    id,
    eventId,
    event: event.event,
    summary: eventWords(event),
    state,
    tries,
    status,
    failure,
    tookMs,
    queuedAt: row.queuedAt.toISOString(),
    nextTryAt: row.nextTryAt.toISOString(),
    triedAt: row.triedAt?.toISOString() ?? null,
  }
}

export const noSuchDelivery = (delivery: number): ServiceError =>
  new ServiceError('not_found', `There is no delivery ${delivery} in this log any more. Reload it.`, {
    field: 'delivery',
  })
