import 'server-only'
import type { AgentErrorCode } from '@/lib/schemas/agent/errors'

type AgentErrorDetails = { field?: string; retryAfterSeconds?: number; cause?: unknown }

/** What the agent's API refuses, in one sentence for the host's log. `message` goes out as it stands. */
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
