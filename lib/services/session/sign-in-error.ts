import 'server-only'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { MORE_FACTORS } from '@/lib/openstack/transport/read-error-body'
import { ServiceError } from '@/lib/server/service-error'
import { toServiceError } from '@/lib/server/to-service-error'

/** Keystone's sentence for every refusal; it adds nothing. */
const GENERIC = /The request you have made requires authentication/i

export const isRefusal = (error: unknown): boolean => isOpenStackError(error) && error.kind === 'auth'

/**
 * The password was right, and Keystone wants another factor: a one-time code can be asked for, anything else can't. Null for
 * every other error.
 */
export const wantsMoreFactors = (error: unknown, cloud: string): ServiceError | null => {
  if (!isOpenStackError(error) || error.code !== MORE_FACTORS) return null
  if (error.detail === 'totp')
    return new ServiceError(
      'unauthorized',
      `Keystone of ${cloud} wants a one-time code for this account: type the one that your app shows now.`,
      { field: 'passcode', cause: error },
    )
  return new ServiceError(
    'unauthorized',
    `Keystone of ${cloud} also wants ${error.detail} for this account, which this page can not ask for: sign in another way, or use an account that needs a password and at most a one-time code (totp).`,
    { cause: error },
  )
}

/** Keystone said no to name and password. Which of them is wrong it does not tell. */
export const wrongPassword = (
  error: unknown,
  { cloud, domain, hasPasscode }: { cloud: string; domain: string; hasPasscode: boolean },
): ServiceError => {
  const detail =
    isOpenStackError(error) && error.detail !== null && !GENERIC.test(error.detail) ? error.detail : null
  return new ServiceError(
    'unauthorized',
    hasPasscode
      ? `Keystone of ${cloud} does not accept this one-time code with this name and password in the domain "${domain}". ${detail ?? 'A code holds for half a minute and once: wait for the next one and try again.'}`
      : `Keystone of ${cloud} does not accept this name and password in the domain "${domain}". ${detail ?? 'Check all three and try again.'}`,
    { field: hasPasscode ? 'passcode' : 'password', cause: error },
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
