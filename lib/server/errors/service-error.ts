import 'server-only'

export const SERVICE_ERROR_CODES = [
  'not_found',
  'forbidden',
  'unauthorized',
  'conflict',
  'validation',
  'too_large',
  'limit',
  'precondition',
  'upstream',
  'unavailable',
  'internal',
] as const
export type ServiceErrorCode = (typeof SERVICE_ERROR_CODES)[number]

/** The one table from code to HTTP status. */
export const HTTP_STATUS: Record<ServiceErrorCode, number> = {
  validation: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition: 412,
  too_large: 413,
  limit: 429,
  internal: 500,
  upstream: 502,
  unavailable: 503,
}

/** One invalid field of an input, with its own sentence. `field` is empty for the input as a whole. */
export type InvalidField = { field: string; message: string }

type ServiceErrorDetails = {
  field?: string
  fields?: readonly InvalidField[]
  retryAfterSeconds?: number
  cause?: unknown
}

const BRAND = Symbol.for('sliceboard.service-error')

/** A refusal of a service, in one sentence for the caller. `message` is sent unchanged. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode
  readonly field: string | undefined
  /** All that is invalid in an input; `field` and the message are of the first. */
  readonly fields: readonly InvalidField[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly [BRAND] = true

  constructor(code: ServiceErrorCode, message: string, details: ServiceErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ServiceError'
    this.code = code
    this.field = details.field
    this.fields = details.fields
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** Next's bundle and the server's each load a copy of the class, so `instanceof` does not reach across. */
export const isServiceError = (error: unknown): error is ServiceError =>
  typeof error === 'object' && error !== null && BRAND in error
