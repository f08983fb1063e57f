import 'server-only'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { ServiceError } from '@/lib/server/service-error'
import { toServiceError } from '@/lib/server/to-service-error'

/** Keystone's sentence for every refusal; it adds nothing. */
const GENERIC = /The request you have made requires authentication/i

export const isRefusal = (error: unknown): boolean => isOpenStackError(error) && error.kind === 'auth'

/** Keystone said no to name and password. Which of them is wrong it does not tell. */
export const wrongPassword = (
  error: unknown,
  { cloud, domain }: { cloud: string; domain: string },
): ServiceError => {
  const detail =
    isOpenStackError(error) && error.detail !== null && !GENERIC.test(error.detail) ? error.detail : null
  return new ServiceError(
    'unauthorized',
    `Keystone of ${cloud} does not accept this name and password in the domain "${domain}". ${detail ?? 'Check all three and try again.'}`,
    { field: 'password', cause: error },
  )
}

/** The person's token ended between two steps. */
export const tokenRefused = (error: unknown, cloud: string): ServiceError =>
  isRefusal(error)
    ? new ServiceError('unauthorized', `Keystone of ${cloud} no longer accepts your token: sign in again.`, {
        cause: error,
      })
    : toServiceError(error)

export const noSignIn = (): ServiceError =>
  new ServiceError(
    'precondition',
    'This console runs without sign-in: no cloud is configured, and whoever uses it is the local admin.',
  )
