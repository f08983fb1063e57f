import * as z from 'zod/mini'
import { rowIdSchema } from './agent-inputs'

const accessSchema = z.enum(['read', 'write'])

const apiTokenSchema = z.object({
  id: z.int(),
  label: z.string(),
  access: accessSchema,
  role: z.enum(['admin', 'reader', 'tenant']),
  /** What the role holds on: `system`, or the project's name. */
  scope: z.string(),
  owner: z.string(),
  isOwn: z.boolean(),
  createdAt: z.string(),
  expiresAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
  lastAddress: z.nullable(z.string()),
  state: z.enum(['usable', 'expired', 'revoked']),
})
export type ApiTokenDto = z.infer<typeof apiTokenSchema>

export const apiTokenListSchema = z.object({ tokens: z.array(apiTokenSchema) })
export type ApiTokenList = z.infer<typeof apiTokenListSchema>

/** Answer to a creation: the only time that `token` is shown. */
export const createdApiTokenSchema = z.extend(apiTokenSchema, { token: z.string() })
export type CreatedApiToken = z.infer<typeof createdApiTokenSchema>

export const createApiTokenSchema = z.strictObject({
  label: z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(80)),
  access: accessSchema,
  /** Days until it expires: 1 to 365. */
  lifetimeDays: z.int().check(z.gte(1), z.lte(365)),
})
export type CreateApiToken = z.infer<typeof createApiTokenSchema>

export const apiTokenParamsSchema = z.object({ id: rowIdSchema })
