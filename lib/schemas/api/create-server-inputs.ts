import * as z from 'zod/mini'

export const serverChoicesScopeSchema = z.object({
  /** Nova's id. */
  flavor: z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(255)),
})
export type ServerChoicesScope = z.infer<typeof serverChoicesScopeSchema>

const uuid = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i, 'must be the id of one of the choices'))

export const createServerSchema = z.strictObject({
  /** Of one confirmation: a repeated request with the same key creates no second server. */
  requestKey: z.string().check(z.regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits')),
  name: z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(255)),
  flavor: z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(255)),
  image: uuid,
  /** Null: no network. */
  network: z.nullable(uuid),
  /** Null: none. */
  keyPair: z.nullable(z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(255))),
  /** Empty: the default group of the project. */
  securityGroups: z.array(uuid).check(z.maxLength(20)),
})
export type CreateServer = z.infer<typeof createServerSchema>

export const ownServerParamsSchema = z.object({ uuid })
export type OwnServerParams = z.infer<typeof ownServerParamsSchema>
