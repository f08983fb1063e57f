import * as z from 'zod/mini'
import { HOST_NAME_PATTERN, HOST_NAME_RULE } from '../agent/host-name'

/** zod/mini has no error text for numbers out of bounds. */
const wholeNumber = ({ min, max }: { min: number; max: number }) => {
  const rule = `must be a whole number from ${min} to ${max}`
  return z.int(rule).check(z.gte(min, rule), z.lte(max, rule))
}

export const createJoinTokenSchema = z.strictObject({
  cloud: z.string().check(z.minLength(1), z.maxLength(128)),
  label: z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(80)),
  /** Minutes until it expires: 5 minutes to 7 days. */
  lifetimeMinutes: wholeNumber({ min: 5, max: 10_080 }),
  maxUses: wholeNumber({ min: 1, max: 10_000 }),
  hostName: z.nullable(z.string().check(z.toLowerCase(), z.regex(HOST_NAME_PATTERN, HOST_NAME_RULE))),
})
export type CreateJoinToken = z.infer<typeof createJoinTokenSchema>

export const rowIdSchema = z.pipe(z.coerce.number(), z.int().check(z.gte(1), z.lte(2_147_483_647)))
export const agentParamsSchema = z.object({ credentialId: rowIdSchema })
export const joinTokenParamsSchema = z.object({ id: rowIdSchema })
