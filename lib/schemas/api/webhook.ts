import * as z from 'zod/mini'
import { SEVERITIES } from '../severity'
import { DELIVERY_STATES, WEBHOOK_FORMS } from '../states'

export const deliveryStateSchema = z.enum(DELIVERY_STATES)
export const webhookFormSchema = z.enum(WEBHOOK_FORMS)
export const webhookSeveritySchema = z.enum(SEVERITIES)

const outcome = {
  state: deliveryStateSchema,
  tries: z.int(),
  /** When it was tried last, what was answered and why that was no success; null each where there is none. */
  triedAt: z.nullable(z.string()),
  status: z.nullable(z.int()),
  failure: z.nullable(z.string()),
  tookMs: z.nullable(z.int()),
}

const webhookSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** `https://hooks.example.org`; the rest of the address is never returned. */
  origin: z.string(),
  form: webhookFormSchema,
  /** Findings from this severity on; null: none. */
  findingSeverity: z.nullable(webhookSeveritySchema),
  wantsExhaustion: z.boolean(),
  wantsChanges: z.boolean(),
  wantsFreeFlavors: z.boolean(),
  isEnabled: z.boolean(),
  madeBy: z.string(),
  madeAt: z.string(),
  /** Messages that wait for a first or another try. */
  waiting: z.int(),
  /** What was tried last; null: nothing yet. */
  last: z.nullable(z.object({ event: z.string(), ...outcome })),
})
export type WebhookDto = z.infer<typeof webhookSchema>

export const webhookListSchema = z.object({
  cloud: z.string(),
  /** Messages have links, since the console knows its own address. */
  hasLinks: z.boolean(),
  webhooks: z.array(webhookSchema),
})
export type WebhookList = z.infer<typeof webhookListSchema>

/** The only time that `secret` is shown. */
export const shownSecretSchema = z.object({ id: z.int(), name: z.string(), secret: z.string() })
export type ShownSecret = z.infer<typeof shownSecretSchema>

const deliverySchema = z.object({
  id: z.int(),
  /** The same in every try: `id` of the message. */
  eventId: z.string(),
  event: z.string(),
  summary: z.string(),
  queuedAt: z.string(),
  nextTryAt: z.string(),
  ...outcome,
})
export type WebhookDelivery = z.infer<typeof deliverySchema>

export const deliveryListSchema = z.object({
  name: z.string(),
  deliveries: z.array(deliverySchema),
  /** Deliveries beyond those listed. */
  more: z.int(),
})
export type DeliveryList = z.infer<typeof deliveryListSchema>

/** `body` null: it has not been sent yet. */
export const deliveryDetailSchema = z.extend(deliverySchema, { body: z.nullable(z.string()) })
export type DeliveryDetail = z.infer<typeof deliveryDetailSchema>

export const webhookTestSchema = z.object({
  /** Null: it was taken. */
  failure: z.nullable(z.string()),
  status: z.nullable(z.int()),
  tookMs: z.int(),
})
export type WebhookTest = z.infer<typeof webhookTestSchema>
