import 'server-only'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { MORE_FACTORS } from '@/lib/openstack/transport/read-error-body'
import { ServiceError } from '@/lib/server/errors/service-error'
import { toServiceError } from '@/lib/server/errors/to-service-error'

const EXPIRED = /password is expired/i

export const isRefusal = (error: unknown): boolean => isOpenStackError(error) && error.kind === 'auth'

/**
 * The password was correct, and Keystone requires another factor: a one-time code is supported, other factors are not.
 * Null for every other error.
 */
export const wantsMoreFactors = (error: unknown, cloud: string): ServiceError | null => {
  if (!isOpenStackError(error) || error.code !== MORE_FACTORS) return null
  if (error.detail === 'totp')
    return new ServiceError(
      'unauthorized',
      `Keystone of ${cloud} requires a one-time code for this account. Enter the current code of your authenticator app.`,
      { field: 'passcode', cause: error },
    )
  return new ServiceError(
    'unauthorized',
    `Keystone of ${cloud} also wants ${error.detail} for this account, which this page can not ask for: sign in another way, or use an account that needs a password and at most a one-time code (totp).`,
    { cause: error },
  )
}

/** Keystone refused name and password. Its own text is for the log: it names locked accounts, ids and internals. */
export const wrongPassword = (error: unknown, { hasPasscode }: { hasPasscode: boolean }): ServiceError => {
  // Keystone reports this only for a correct password (keystone/identity/core.py, keystone/exception.py).
  if (isOpenStackError(error) && EXPIRED.test(error.detail ?? ''))
    return new ServiceError(
      'unauthorized',
      'The password of this account has expired. Change it where you manage your account, then sign in again.',
      { field: 'password', cause: error },
    )
  return new ServiceError(
    'unauthorized',
    hasPasscode
      ? 'The name, password, domain or one-time code is not correct. A code is valid once and for 30 seconds: wait for the next one and try again.'
      : 'The name, password or domain is not correct. Check all three and try again.',
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
    'This console runs without sign-in: no cloud is configured, and every user is the local admin.',
  )
