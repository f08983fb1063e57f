import * as z from 'zod/mini'
import { momentSchema } from './moment'

const MAX_LIMIT = 2_147_483_647

const valueSchema = z.int('must be a whole number').check(z.gte(1), z.lte(MAX_LIMIT))

/** ISO 8601 with offset or Z. Null: permanently. */
const untilSchema = z.nullable(momentSchema('2027-01-31T23:59:59Z'))

export const makeRequestSchema = z.strictObject({
  /** `class:VGPU`. */
  resourceName: z.string().check(z.regex(/^class:[A-Z0-9_]{1,200}$/, 'must be class: and a resource class')),
  /** The whole requested limit, not the difference. */
  value: valueSchema,
  until: untilSchema,
  reason: z.string().check(z.trim(), z.minLength(1, 'must say what it is for'), z.maxLength(1000)),
})
export type MakeRequest = z.infer<typeof makeRequestSchema>

export const decideRequestSchema = z.discriminatedUnion('decision', [
  z.strictObject({
    decision: z.literal('approve'),
    version: z.int(),
    value: valueSchema,
    until: untilSchema,
    /** The text for the project. */
    answer: z.string().check(z.trim(), z.maxLength(1000)),
  }),
  z.strictObject({
    decision: z.literal('decline'),
    version: z.int(),
    answer: z.string().check(z.trim(), z.minLength(1, 'must say why'), z.maxLength(1000)),
  }),
])
export type DecideRequest = z.infer<typeof decideRequestSchema>

const number = z.pipe(z.coerce.number(), z.int().check(z.gte(1), z.lte(MAX_LIMIT)))

export const requestParamsSchema = z.object({ id: number })
/** Tenants know a request by its number within their project. */
export const ownRequestParamsSchema = z.object({ number })
