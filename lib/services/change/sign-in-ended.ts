import { isOpenStackError } from '@/lib/openstack/openstack-error'

/** No person's Keystone token is available for the calls of a change. */
export class SignInEnded extends Error {
  override readonly name = 'SignInEnded'
}

/** Whether a call failed because the sign-in has ended, as found by the console or by Keystone. */
export const isSignInEnd = (error: unknown): boolean =>
  error instanceof SignInEnded || (isOpenStackError(error) && (error.kind === 'auth' || error.status === 401))
