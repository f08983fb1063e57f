import { isOpenStackError } from '@/lib/openstack/openstack-error'

/** Nobody's Keystone token is there to make a change's calls with. */
export class SignInEnded extends Error {
  override readonly name = 'SignInEnded'
}

/** Whether a call could not be made for want of a sign-in, by the console's word or by Keystone's. */
export const isSignInEnd = (error: unknown): boolean =>
  error instanceof SignInEnded || (isOpenStackError(error) && (error.kind === 'auth' || error.status === 401))
