import * as z from 'zod/mini'
import { ROLES } from '../roles'
import { TOKEN_ACCESS } from '../states'

const apiTokenSchema = z.object({
  id: z.int(),
  label: z.string(),
  access: z.enum(TOKEN_ACCESS),
  role: z.enum(ROLES),
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
