/**
 * Error codes of the agent's API and their HTTP status; the body is `{error: {code, message, requestId, field?}}`. 408,
 * 429 and 503: the same request may work later (429 and 503 have Retry-After in seconds). 409: the full report is
 * required. 401: the host must be enrolled again. With all others the same request always fails.
 */
export const AGENT_ERRORS = {
  invalid_position: 400,
  invalid_digest: 400,
  invalid_request: 400,
  broken_gzip: 400,
  broken_json: 400,
  unknown_contract_version: 400,
  invalid_report: 400,
  digest_mismatch: 400,
  unauthorized: 401,
  token_expired: 403,
  token_revoked: 403,
  token_used_up: 403,
  token_of_other_host: 403,
  host_revoked: 403,
  enrollment_declined: 403,
  credential_of_other_host: 403,
  not_found: 404,
  method_not_allowed: 405,
  body_timeout: 408,
  conflict: 409,
  too_large_compressed: 413,
  too_large_uncompressed: 413,
  unsupported_media_type: 415,
  unsupported_encoding: 415,
  /** 429, because agents of earlier releases then keep their join token and ask again. */
  enrollment_pending: 429,
  rate_limited: 429,
  overloaded: 503,
  shutting_down: 503,
} as const satisfies Record<string, number>

export type AgentErrorCode = keyof typeof AGENT_ERRORS
