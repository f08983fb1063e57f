import 'server-only'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { findSignInCloud, type SignIn, type SignInCloud } from '@/lib/server/context/sign-in'
import { ServiceError } from '@/lib/server/errors/service-error'
import { noSignIn } from './sign-in-error'

/** How to sign in to a cloud, by its name. */
export const signInCloud = (
  { signIn }: Pick<ServiceContext, 'signIn'>,
  name: string,
): { signIn: SignIn; cloud: SignInCloud } => {
  if (signIn === null) throw noSignIn()
  const cloud = findSignInCloud(signIn, name)
  if (cloud !== undefined) return { signIn, cloud }
  throw new ServiceError(
    'not_found',
    `There is no cloud named "${name}" to sign in to. Reload the page and choose one.`,
    { field: 'cloud' },
  )
}
