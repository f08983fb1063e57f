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

export const joinTokenSchema = z.object({
  id: z.int(),
  label: z.string(),
  hostName: z.string().nullable(),
  maxUses: z.int(),
  uses: z.int(),
  createdBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  state: z.enum(['usable', 'expired', 'used-up', 'revoked']),
})

export type JoinToken = z.infer<typeof joinTokenSchema>

/** Answer to a creation: the only time that `token` and the ready install line are shown. */
export const createdJoinTokenSchema = joinTokenSchema.extend({
  token: z.string(),
  installCommand: z.string(),
})
export type CreatedJoinToken = z.infer<typeof createdJoinTokenSchema>

export const agentSchema = z.object({
  credentialId: z.int(),
  host: z.string(),
  agentVersion: z.string().nullable(),
  enrolledAt: z.string(),
  lastUsedAt: z.string().nullable(),
  seenAt: z.string().nullable(),
  state: z.enum(['active', 'silent', 'revoked', 'never-reported']),
})

export type Agent = z.infer<typeof agentSchema>

export const agentSettingsSchema = z.object({
  cloud: z.string(),
  agents: z.array(agentSchema),
  joinTokens: z.array(joinTokenSchema),
})
export type AgentSettings = z.infer<typeof agentSettingsSchema>

const rowIdSchema = z.coerce.number().pipe(z.int().min(1).max(2_147_483_647))
export const agentParamsSchema = z.object({ credentialId: rowIdSchema })
export const joinTokenParamsSchema = z.object({ id: rowIdSchema })

export const cloudListSchema = z.object({
  clouds: z.array(z.object({ name: z.string(), region: z.string().nullable() })),
})
export type CloudList = z.infer<typeof cloudListSchema>

/** Search box: guests, servers, hosts and pGPUs by part of a name, uuid or address. At most 20 of each. */
export const searchResultsSchema = z.object({
  hosts: z.array(z.string()),
  gpus: z.array(z.object({ host: z.string(), address: z.string(), model: z.string() })),
  guests: z.array(
    z.object({
      host: z.string(),
      uuid: z.string(),
      name: z.string(),
      serverName: z.string().nullable(),
      projectName: z.string().nullable(),
      pgpuAddresses: z.array(z.string()),
    }),
  ),
})
export type SearchResults = z.infer<typeof searchResultsSchema>

/** Body of every error. */
export const errorBodySchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    requestId: z.string(),
    field: z.string().optional(),
  }),
})
export type ErrorBody = z.infer<typeof errorBodySchema>
