import 'server-only'
import { eventText } from '@/lib/domain/webhook/event-text'
import { deliveryStateSchema, type WebhookDelivery } from '@/lib/schemas/api/webhook'
import { webhookEventSchema } from '@/lib/schemas/webhook/webhook-event'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Prisma } from '@/lib/server/prisma-client/client'

/** A delivery without its body. */
export const DELIVERY_COLUMNS = {
  id: true,
  eventId: true,
  event: true,
  state: true,
  queuedAt: true,
  nextTryAt: true,
  triedAt: true,
  tries: true,
  answeredStatus: true,
  failure: true,
  tookMs: true,
} satisfies Prisma.WebhookDeliverySelect
type DeliveryRow = Prisma.WebhookDeliveryGetPayload<{ select: typeof DELIVERY_COLUMNS }>

export const deliveryOf = (row: DeliveryRow): WebhookDelivery => {
  const event = webhookEventSchema.parse(row.event)
  const { id, eventId, state, tries, answeredStatus, failure, tookMs } = row
  return {
    id: Number(id),
    eventId,
    event: event.event,
    summary: eventText(event),
    state: deliveryStateSchema.parse(state),
    tries,
    status: answeredStatus,
    failure,
    tookMs,
    queuedAt: row.queuedAt.toISOString(),
    nextTryAt: row.nextTryAt.toISOString(),
    triedAt: row.triedAt?.toISOString() ?? null,
  }
}

export const noSuchDelivery = (delivery: number): ServiceError =>
  new ServiceError('not_found', `The log no longer has delivery ${delivery}. Reload it.`, {
    field: 'delivery',
  })
