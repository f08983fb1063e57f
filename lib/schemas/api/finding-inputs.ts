import * as z from 'zod/mini'

export const acknowledgeFindingSchema = z.strictObject({
  note: z.string().check(z.trim(), z.minLength(1, 'must say why'), z.maxLength(500)),
  /** Days until it counts as open again: 1 to 365. */
  days: z.int().check(z.gte(1), z.lte(365)),
})
export type AcknowledgeFinding = z.infer<typeof acknowledgeFindingSchema>

/** `{code}` in paths is the kind of a finding. */
export const findingMuteParamsSchema = z.object({ code: z.string().check(z.minLength(1), z.maxLength(128)) })

export const findingParamsSchema = z.object({
  id: z.pipe(z.coerce.number(), z.int().check(z.gte(1), z.lte(2_147_483_647))),
})
