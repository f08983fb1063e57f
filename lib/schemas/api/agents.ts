import * as z from 'zod/mini'
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
