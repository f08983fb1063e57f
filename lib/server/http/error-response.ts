import 'server-only'
import type { ErrorBody } from '@/lib/schemas/api/error-body'
import type { Logger } from '@/lib/server/context/log'
import { REQUEST_ID_HEADER } from '@/lib/server/context/request-id'
import type { Actor } from '@/lib/server/context/service-context'
import { HTTP_STATUS, ServiceError } from '@/lib/server/errors/service-error'
import { toServiceError } from '@/lib/server/errors/to-service-error'

export type ErrorAnswer = { status: number; headers: Record<string, string>; body: ErrorBody }

/** The one shape of an error on the wire, for Next's routes and for the plain HTTP handlers in front of them. */
const errorAnswer = (error: ServiceError, requestId: string): ErrorAnswer => {
  const retryAfter = error.retryAfterSeconds
  return {
    status: HTTP_STATUS[error.code],
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      [REQUEST_ID_HEADER]: requestId,
      ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }),
    },
    body: {
      error: {
        code: error.code,
        message: error.message,
        requestId,
        ...(error.field === undefined ? {} : { field: error.field }),
        ...(error.fields === undefined ? {} : { fields: [...error.fields] }),
      },
    },
  }
}

/** `overseer`: an admin or a reader, who may know what the console runs on. `public`: has not signed in. */
export type Audience = 'overseer' | 'tenant' | 'public'

export const audienceOf = (actor: Actor | null): Audience => {
  if (actor?.kind !== 'user' || actor.roles.length === 0) return 'public'
  return actor.roles.some((role) => role !== 'tenant') ? 'overseer' : 'tenant'
}

const isOfBackend = ({ code, cause }: ServiceError): boolean =>
  code === 'internal' || code === 'upstream' || (code === 'unavailable' && cause !== undefined)

/** One sentence for every fault behind the console: addresses, error texts and which part failed are for the log and admins. */
const forAudience = (error: ServiceError, requestId: string, audience: Audience): ServiceError => {
  if (audience === 'overseer' || !isOfBackend(error)) return error
  return new ServiceError(
    audience === 'public' && error.code === 'upstream' ? 'unavailable' : error.code,
    `The service is not available at the moment. Try again in a few minutes. If the problem persists, report the request ID ${requestId} to an admin.`,
    audience === 'tenant' && error.retryAfterSeconds !== undefined
      ? { retryAfterSeconds: error.retryAfterSeconds }
      : {},
  )
}

/** Maps any error and logs those that are our fault or the database's, and who was refused what. */
export const answerError = (
  error: unknown,
  requestId: string,
  log: Logger,
  audience: Audience = 'public',
): ErrorAnswer => {
  const mapped = toServiceError(error)
  if (mapped.code === 'internal') log.error({ requestId, err: mapped.cause ?? mapped }, 'Request failed')
  else if (mapped.code === 'unavailable' || mapped.code === 'upstream') {
    // Our own refusals say all in their message; a stack is only worth its lines where something else broke.
    const details = mapped.cause === undefined ? { reason: mapped.message } : { err: mapped.cause }
    log.warn({ requestId, ...details }, 'Request failed: a service is unavailable')
  }
  if (mapped.code === 'validation' && mapped.cause !== undefined && mapped.field === undefined)
    log.warn({ requestId, err: mapped.cause }, 'Request refused by the database or a parser')
  if (mapped.code === 'forbidden') log.info({ requestId, reason: mapped.message }, 'Request refused')
  return errorAnswer(forAudience(mapped, requestId, audience), requestId)
}
