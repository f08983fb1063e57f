import * as z from 'zod/mini'
import { TOKEN_ACCESS } from '@/lib/schemas/states'
import { rowIdSchema } from './agent-inputs'

export const createApiTokenSchema = z.strictObject({
  label: z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(80)),
  access: z.enum(TOKEN_ACCESS),
  /** Days until it expires: 1 to 365. */
  lifetimeDays: z.int().check(z.gte(1), z.lte(365)),
})
export type CreateApiToken = z.infer<typeof createApiTokenSchema>

export const apiTokenParamsSchema = z.object({ id: rowIdSchema })
