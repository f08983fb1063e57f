import 'server-only'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { apiPaths } from '@/lib/util/paths'
import { signInCloud } from './sign-in-cloud'

/**
 * Where Keystone sends the browser back to. `[federation] trusted_dashboard` of keystone.conf must have exactly this line,
 * without a slash at the end.
 */
const webSsoOrigin = (consoleOrigin: string): string => `${consoleOrigin}${apiPaths.webSso()}`

/** Keystone's address at which the sign-in with an identity provider begins. */
export const startWebSso = async (
  ctx: ServiceContext,
  { cloud: name, provider: label, origin }: { cloud: string; provider: string; origin: string },
): Promise<string> => {
  const { signIn, cloud } = signInCloud(ctx, name)
  const provider = signIn.webSso.find((one) => one.label === label)
  if (provider === undefined) {
    throw new ServiceError(
      'not_found',
      `There is no sign-in named "${label}". Reload the page and choose one.`,
      { field: 'provider' },
    )
  }
  const { identityProvider, protocol } = provider
  const keystoneUrl = (await cloud.browserKeystoneUrl?.()) ?? null
  return cloud.keystone.webSsoUrl({ origin: webSsoOrigin(origin), protocol, identityProvider, keystoneUrl })
}
