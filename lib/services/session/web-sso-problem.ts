import 'server-only'
import type { LoginProblem } from '@/lib/schemas/api/session'
import type { ServiceContext } from '@/lib/server/service-context'
import type { ServiceErrorCode } from '@/lib/server/service-error'
import { toServiceError } from '@/lib/server/to-service-error'

const PROBLEMS: Partial<Record<ServiceErrorCode, LoginProblem>> = {
  forbidden: 'no-role',
  unauthorized: 'refused',
  upstream: 'unreachable',
  unavailable: 'unreachable',
}

/** Why a WebSSO sign-in did not end in a session, as the sign-in page is told; the log has the rest. */
export const webSsoProblem = (ctx: ServiceContext, error: unknown): LoginProblem => {
  const mapped = toServiceError(error)
  ctx.log.warn({ method: 'websso', code: mapped.code, err: mapped.cause ?? mapped }, 'Sign-in failed')
  return PROBLEMS[mapped.code] ?? 'failed'
}
