import 'server-only'
import type { Runtime } from '@/lib/server/context/runtime'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { webSsoCookies } from '@/lib/server/session/web-sso-cookies'
import { noSignIn } from './sign-in-error'

/** The cookies of a WebSSO sign-in on its way. */
export const requireWebSso = (
  { signIn }: Pick<ServiceContext, 'signIn'>,
  env: Pick<Runtime['env'], 'url'>,
) => {
  if (signIn === null) throw noSignIn()
  return webSsoCookies(signIn.box, env)
}
