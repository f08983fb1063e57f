import 'server-only'
import type { SignInOptions } from '@/lib/schemas/api/session'
import type { SignIn } from '@/lib/server/context/sign-in'

/** What the sign-in page offers to anybody. */
export const getSignInOptions = ({ clouds, webSso }: SignIn): SignInOptions => ({
  clouds: clouds.map(({ name, region }) => ({ name, region })),
  webSso: webSso.map(({ label }) => label),
})
