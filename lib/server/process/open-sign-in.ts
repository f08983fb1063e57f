import 'server-only'
import { publicIdentityUrl } from '@/lib/openstack/session/public-identity-url'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { createAccountRequests } from '@/lib/server/context/account-requests'
import type { Logger } from '@/lib/server/context/log'
import type { SignIn, SignInCloud } from '@/lib/server/context/sign-in'
import { StartError } from '@/lib/server/errors/start-error'
import { type Env, LOOPBACK_HOSTS } from '@/lib/server/settings/env'

export type OpenedSignIn = {
  /** What it is made of, but for the secrets that seal it. */
  signIn: Omit<SignIn, 'box'> | null
  /** Which mode it is, for the operator. */
  sentence: string
}

const whyUnreachable = ({ host, url }: Env): string | null =>
  LOOPBACK_HOSTS.includes(host) || url !== null
    ? null
    : `SLICEBOARD_HOST is "${host}", but then SLICEBOARD_URL must say under which address browsers reach the console, such as https://sliceboard.example.org.`

/** All settings that are unsafe without sign-in, so that the operator corrects them at once. */
const listUnsafe = ({ host, proxies }: Env): string[] => [
  ...(LOOPBACK_HOSTS.includes(host)
    ? []
    : [
        `SLICEBOARD_HOST is "${host}", but must be a loopback address (${LOOPBACK_HOSTS.join(', ')}) without sign-in: name a cloud in clouds.yaml, so that people sign in through its Keystone.`,
      ]),
  ...(proxies === 0
    ? []
    : [
        `SLICEBOARD_PROXIES is "${proxies}", but without sign-in everybody behind a proxy would be an admin: name a cloud in clouds.yaml, so that people sign in through its Keystone.`,
      ]),
]

const withoutSignIn = (env: Env, reason: string): OpenedSignIn => {
  const unsafe = listUnsafe(env)
  if (unsafe.length > 0) throw new StartError(unsafe.join('\n'))
  return {
    signIn: null,
    sentence: `Sign-in is off, because ${reason}: everybody who can reach the loopback address of this machine, also through a proxy or a tunnel, is an admin.`,
  }
}

const warnAboutPlainHttp = (env: Env, log: Logger): void => {
  const isPlain = env.url?.startsWith('http://') === true
  if (isPlain && !LOOPBACK_HOSTS.includes(env.host))
    log.warn(
      { url: env.url },
      'Passwords and sessions are sent unencrypted: enable TLS in front of the console',
    )
}

/** The setting for this cloud, else that for all clouds, else the public endpoint of the catalog. */
const browserKeystoneUrl = (account: ServiceAccount, { webSsoKeystoneUrls }: Env) => {
  const configured =
    webSsoKeystoneUrls.find(({ cloud }) => cloud === account.cloud) ??
    webSsoKeystoneUrls.find(({ cloud }) => cloud === null)
  return async (): Promise<string | null> => configured?.url ?? publicIdentityUrl(account)
}

const userRoles =
  (account: ServiceAccount): NonNullable<SignInCloud['listUserRoles']> =>
  async (userId) =>
    account.withToken((await account.hasSystemScope()) ? 'system' : 'project', ({ id }) =>
      account.signInKeystone.listUserRoles({ tokenId: id, userId }),
    )

/** Decides once how people come in: through Keystone when clouds are configured, else as the local admin. */
export const openSignIn = ({
  env,
  log,
  accounts,
}: {
  env: Env
  log: Logger
  accounts: readonly ServiceAccount[]
}): OpenedSignIn => {
  if (env.signIn === 'off') return withoutSignIn(env, 'SLICEBOARD_SIGN_IN is "off"')
  if (env.openstack === 'off') return withoutSignIn(env, 'SLICEBOARD_OPENSTACK is "off"')
  if (accounts.length === 0) return withoutSignIn(env, 'there is no clouds.yaml')
  const unreachable = whyUnreachable(env)
  if (unreachable !== null) throw new StartError(unreachable)
  warnAboutPlainHttp(env, log)
  return {
    signIn: {
      clouds: accounts.map((account) => ({
        name: account.cloud,
        region: account.region,
        keystone: account.signInKeystone,
        browserKeystoneUrl: browserKeystoneUrl(account, env),
        listUserRoles: userRoles(account),
      })),
      webSso: env.webSso,
      roleNames: { admin: env.adminRoles, reader: env.readerRoles },
      idleMs: env.sessionIdleMinutes * 60_000,
      longestMs: env.sessionHours * 3_600_000,
      requests: createAccountRequests({ perSecond: env.accountRequestsPerSecond, log }),
    },
    sentence: `People sign in through Keystone of ${accounts.map(({ cloud }) => cloud).join(', ')}.`,
  }
}
