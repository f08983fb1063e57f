import 'server-only'
import type { AgentErrorCode } from '@/lib/schemas/agent/errors'

type AgentErrorDetails = { field?: string; retryAfterSeconds?: number; cause?: unknown }

/** A refusal of the agent's API, in one sentence for the host's log. `message` is sent unchanged. */
export class AgentError extends Error {
  readonly code: AgentErrorCode
  readonly field: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: AgentErrorCode, message: string, details: AgentErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'AgentError'
    this.code = code
    this.field = details.field
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}
