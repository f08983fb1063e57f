import * as z from 'zod/mini'
import { SIGN_IN_LENGTHS } from '../choices'

const line = (max: number) => z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(max))

export const signInSchema = z.strictObject({
  cloud: line(SIGN_IN_LENGTHS.cloud),
  domain: line(SIGN_IN_LENGTHS.domain),
  name: line(SIGN_IN_LENGTHS.name),
  password: line(SIGN_IN_LENGTHS.password),
  /** One-time code of accounts that need a second factor; empty counts as absent. */
  passcode: z.optional(z.string().check(z.maxLength(SIGN_IN_LENGTHS.passcode))),
})
export type SignInInput = z.infer<typeof signInSchema>

export const chooseScopeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('system') }),
  z.strictObject({ kind: z.literal('project'), id: line(255) }),
])
export type ChooseScope = z.infer<typeof chooseScopeSchema>

export const endSessionsQuerySchema = z.object({
  /** `others` keeps the session that asks. */
  which: z._default(z.enum(['all', 'others']), 'all'),
})

export const webSsoStartSchema = z.object({
  cloud: line(128),
  provider: line(128),
  next: z.optional(z.string().check(z.maxLength(2048))),
})
