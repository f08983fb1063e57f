import 'server-only'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { webSsoCookies } from '@/lib/server/session/web-sso-cookies'
import type { Env } from '@/lib/server/settings/env'
import { noSignIn } from './sign-in-error'

/** The cookies of a WebSSO sign-in on its way. */
export const requireWebSso = ({ signIn }: Pick<ServiceContext, 'signIn'>, env: Pick<Env, 'url'>) => {
  if (signIn === null) throw noSignIn()
  return webSsoCookies(signIn.box, env)
}
