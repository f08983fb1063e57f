import 'server-only'
import type { LoginProblem } from '@/lib/schemas/api/session'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { toServiceError } from '@/lib/server/errors/to-service-error'

/** Why a WebSSO sign-in did not create a session, for the sign-in page; the log has the details. */
export const webSsoProblem = (ctx: ServiceContext, error: unknown): LoginProblem => {
  const mapped = toServiceError(error)
  const details = { requestId: ctx.requestId, method: 'websso', code: mapped.code }
  ctx.log.warn({ ...details, err: mapped.cause ?? mapped }, 'Sign-in failed')
  return mapped.code === 'forbidden' ? 'no-role' : 'failed'
}
