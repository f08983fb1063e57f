import 'server-only'
import type { SignInInput } from '@/lib/schemas/api/session-inputs'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { toServiceError } from '@/lib/server/errors/to-service-error'
import type { RequestFacts } from '@/lib/server/session/request-facts'

/** Signs a person in and logs why that failed, without what was typed as the password. */
export const logFailedSignIn = async <Result>(
  ctx: Pick<ServiceContext, 'log'>,
  {
    body: { name, domain, cloud },
    facts: { address },
  }: { body: Pick<SignInInput, 'name' | 'domain' | 'cloud'>; facts: Pick<RequestFacts, 'address'> },
  signIn: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await signIn()
  } catch (error) {
    const { code, message } = toServiceError(error)
    ctx.log.warn(
      { user: name, domain, cloud, method: 'password', address, code, reason: message },
      'Sign-in failed',
    )
    throw error
  }
}
