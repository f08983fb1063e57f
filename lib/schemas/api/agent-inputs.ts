import * as z from 'zod'
import { hostNameSchema } from '../agent/primitives'

export const createJoinTokenSchema = z.strictObject({
  cloud: z.string().min(1).max(128),
  label: z.string().trim().min(1, 'must not be empty').max(80),
  /** Minutes until it expires: 5 minutes to 7 days. */
  lifetimeMinutes: z.int().min(5).max(10_080),
  maxUses: z.int().min(1).max(10_000),
  hostName: hostNameSchema.nullable(),
})
export type CreateJoinToken = z.infer<typeof createJoinTokenSchema>

const rowIdSchema = z.coerce.number().pipe(z.int().min(1).max(2_147_483_647))
export const agentParamsSchema = z.object({ credentialId: rowIdSchema })
export const joinTokenParamsSchema = z.object({ id: rowIdSchema })
