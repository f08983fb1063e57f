import * as z from 'zod/mini'
import { SEVERITIES } from '../severity'
import { WEBHOOK_FORMS } from '../states'
import { rowIdSchema } from './agent-inputs'

const shape = {
  name: z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(80)),
  form: z.enum(WEBHOOK_FORMS, 'must be json or slack'),
  /** Findings from this severity on; null: none. */
  findingSeverity: z.nullable(z.enum(SEVERITIES, 'must be error, warning, info or null')),
  wantsExhaustion: z.boolean(),
  wantsChanges: z.boolean(),
  /** A flavor is free that a person of a project waits for: the message names both. */
  wantsFreeFlavors: z._default(z.boolean(), false),
}

const address = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'must not be empty'),
    z.maxLength(2000, 'must have at most 2,000 characters'),
  )

type Wants = {
  findingSeverity: string | null
  wantsExhaustion: boolean
  wantsChanges: boolean
  wantsFreeFlavors: boolean
}

const wantsSomething = z.refine<Wants>(
  ({ findingSeverity, wantsExhaustion, wantsChanges, wantsFreeFlavors }: Wants) =>
    findingSeverity !== null || wantsExhaustion || wantsChanges || wantsFreeFlavors,
  {
    path: ['findingSeverity'],
    error: 'must not be none if no other event is selected. Select at least one event',
  },
)

export const createWebhookSchema = z
  .strictObject({ cloud: z.string().check(z.minLength(1), z.maxLength(128)), ...shape, address })
  .check(wantsSomething)
export type CreateWebhook = z.infer<typeof createWebhookSchema>

export const updateWebhookSchema = z
  .strictObject({
    ...shape,
    /** Null: it stays. The current one is never returned. */
    address: z.nullable(address),
    isEnabled: z.boolean(),
  })
  .check(wantsSomething)
export type UpdateWebhook = z.infer<typeof updateWebhookSchema>

export const webhookParamsSchema = z.object({ id: rowIdSchema })
export const deliveryParamsSchema = z.object({
  id: rowIdSchema,
  /** Grows with every message of the console, so it has room. */
  delivery: z.pipe(z.coerce.number(), z.int().check(z.gte(1))),
})
