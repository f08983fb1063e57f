import 'server-only'
import type { CloudConfig } from '@/lib/openstack/clouds/cloud-config'
import { createKeystone } from '@/lib/openstack/keystone/create-keystone'
import { createTransport } from '@/lib/openstack/transport/create-transport'
import { type Env, LOOPBACK_HOSTS } from '../env'
import type { Logger } from '../log'
import { loadSecrets } from '../session/load-secrets'
import { createSecretBox } from '../session/secret-box'
import type { SignIn, SignInCloud } from '../session/sign-in'
import { StartError } from '../start-error'

export type OpenedSignIn = {
  signIn: SignIn | null
  /** Which mode it is, for the operator. */
  sentence: string
  close: () => Promise<void>
}

const checkHost = ({ host, url }: Env, hasSignIn: boolean): void => {
  if (LOOPBACK_HOSTS.includes(host)) return
  if (!hasSignIn) {
    throw new StartError(
      `SLICEBOARD_HOST is "${host}", but must be a loopback address (${LOOPBACK_HOSTS.join(', ')}) without sign-in: name a cloud in clouds.yaml, so that people sign in through its Keystone.`,
    )
  }
  if (url === null) {
    throw new StartError(
      `SLICEBOARD_HOST is "${host}", but then SLICEBOARD_URL must say under which address browsers reach the console, such as https://sliceboard.example.org.`,
    )
  }
}

const open = (cloud: CloudConfig) => {
  const transport = createTransport({
    cloud: cloud.name,
    requestsPerSecond: cloud.requestsPerSecond,
    timeoutMs: cloud.timeoutMs,
    caPem: cloud.caPem,
    verify: cloud.verify,
    allowedOrigins: [cloud.authUrl],
  })
  const keystone = createKeystone({ transport, authUrl: cloud.authUrl, cloud: cloud.name })
  const signInCloud: SignInCloud = { name: cloud.name, region: cloud.region, keystone }
  return { signInCloud, close: () => transport.close() }
}

const withoutSignIn = (env: Env, reason: string): OpenedSignIn => {
  checkHost(env, false)
  return {
    signIn: null,
    sentence: `Sign-in is off, because ${reason}: whoever reaches the loopback address of this machine is admin.`,
    close: async () => undefined,
  }
}

const warnAboutPlainHttp = (env: Env, log: Logger): void => {
  const isPlain = env.url?.startsWith('http://') === true
  if (isPlain && !LOOPBACK_HOSTS.includes(env.host))
    log.warn({ url: env.url }, 'Passwords and sessions travel unencrypted: put TLS in front of the console')
}

/** Decides once how people come in: through Keystone when clouds are configured, else as the local admin. */
export const openSignIn = async ({
  env,
  log,
  configs,
}: {
  env: Env
  log: Logger
  configs: readonly CloudConfig[]
}): Promise<OpenedSignIn> => {
  if (env.signIn === 'off') return withoutSignIn(env, 'SLICEBOARD_SIGN_IN is "off"')
  if (configs.length === 0) return withoutSignIn(env, 'no cloud is configured (clouds.yaml)')
  checkHost(env, true)
  warnAboutPlainHttp(env, log)
  const box = createSecretBox(await loadSecrets(env))
  const opened = configs.map(open)
  return {
    signIn: {
      clouds: opened.map(({ signInCloud }) => signInCloud),
      webSso: env.webSso,
      roleNames: { admin: env.adminRoles, reader: env.readerRoles },
      box,
      idleMs: env.sessionIdleMinutes * 60_000,
      longestMs: env.sessionHours * 3_600_000,
    },
    sentence: `People sign in through Keystone of ${configs.map(({ name }) => name).join(', ')}.`,
    close: async () => {
      await Promise.all(opened.map((one) => one.close()))
    },
  }
}
