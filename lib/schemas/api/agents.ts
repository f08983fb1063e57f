import * as z from '@/lib/schemas/mini'
import { enrollmentRequestSchema } from './enrollment-requests'

const joinTokenSchema = z.object({
  id: z.int(),
  label: z.string(),
  hostName: z.nullable(z.string()),
  maxUses: z.int(),
  uses: z.int(),
  createdBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  state: z.enum(['usable', 'expired', 'used-up', 'revoked']),
})

export type JoinToken = z.infer<typeof joinTokenSchema>

/** Answer to a creation: the only time that `token` is shown. The installer prompts for it. */
export const createdJoinTokenSchema = z.extend(joinTokenSchema, {
  token: z.string(),
  installCommand: z.string(),
})
export type CreatedJoinToken = z.infer<typeof createdJoinTokenSchema>

const agentSchema = z.object({
  credentialId: z.int(),
  host: z.string(),
  agentVersion: z.nullable(z.string()),
  /** Its contract is newer than the console's, which leaves out what it does not know. */
  isNewer: z.boolean(),
  enrolledAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
  seenAt: z.nullable(z.string()),
  state: z.enum(['active', 'silent', 'revoked', 'never-reported']),
})

export type Agent = z.infer<typeof agentSchema>

export const agentSettingsSchema = z.object({
  cloud: z.string(),
  agents: z.array(agentSchema),
  joinTokens: z.array(joinTokenSchema),
  enrollmentRequests: z.array(enrollmentRequestSchema),
})
export type AgentSettings = z.infer<typeof agentSettingsSchema>

export const cloudListSchema = z.object({
  clouds: z.array(z.object({ name: z.string(), region: z.nullable(z.string()) })),
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
      serverName: z.nullable(z.string()),
      projectName: z.nullable(z.string()),
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
    /** The first invalid field. */
    field: z.optional(z.string()),
    /** All invalid fields of the input, each with its own sentence; `field` is empty for the input as a whole. */
    fields: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
  }),
})
export type ErrorBody = z.infer<typeof errorBodySchema>
