import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { createKeystone } from '@/lib/openstack/keystone/create-keystone'
import { createTransport } from '@/lib/openstack/transport/create-transport'
import { createAccountRequests } from '@/lib/server/context/account-requests'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import { ANONYMOUS, type ServiceContext } from '@/lib/server/context/service-context'
import type { SignIn, SignInCloud } from '@/lib/server/context/sign-in'
import type { Database } from '@/lib/server/database/database'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { requireSignedIn } from '@/lib/server/session/find-caller'
import type { RequestFacts } from '@/lib/server/session/request-facts'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { createTestRuntime } from '@/lib/server/testing/test-runtime'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { signInWithPassword } from '../sign-in'

export const CLOUD = 'paris'
/** A cloud whose Keystone does not answer. */
export const DOWN = 'rome'

const START = Date.parse('2026-11-21T14:00:00Z')
export const TOKEN_LIFETIME_SECONDS = 3600

type AccountName = keyof typeof DEMO_ACCOUNTS

export type SignInWorld = {
  database: () => Database
  openstack: () => OpenStackSimulator
  runtime: () => Runtime & { signIn: SignIn }
  /** The clock of the console and of Keystone. */
  wait: (seconds: number) => void
  now: () => Date
  anonymous: () => ServiceContext
  facts: (given?: Partial<RequestFacts>) => RequestFacts
  /** Signs in as a browser does; the answer is the cookie's value. */
  signIn: (account: AccountName, given?: Partial<RequestFacts>) => Promise<{ id: string; isScoped: boolean }>
  /** The context of a request with that cookie. */
  as: (id: string) => Promise<ServiceContext>
  /** Entries of the audit since the last call, oldest first. */
  audited: () => Promise<
    { actor: string; action: string; subject: string; before: unknown; after: unknown }[]
  >
}

export const signInBody = (account: AccountName, given: Record<string, string> = {}) => {
  const { name, password, domain } = DEMO_ACCOUNTS[account]
  return { cloud: CLOUD, name, password, domain, ...given }
}

const openCloud = (name: string, authUrl: string): SignInCloud & { close: () => Promise<void> } => {
  const transport = createTransport({
    cloud: name,
    requestsPerSecond: 1000,
    timeoutMs: 5000,
    caPem: null,
    verify: true,
    allowedOrigins: [authUrl],
  })
  const keystone = createKeystone({ transport, authUrl, cloud: name })
  const listUserRoles = async (userId: string) => {
    const { name: user, password, domain, project } = DEMO_ACCOUNTS.service
    const { id } = await keystone.authenticate({
      identity: { method: 'password', user: { name: user, domain: { name: domain } }, password },
      scope: { kind: 'project', project: { name: project, domain: { name: domain } } },
    })
    return keystone.listUserRoles({ tokenId: id, userId })
  }
  return { name, region: 'RegionOne', keystone, listUserRoles, close: transport.close }
}

/** The simulated Keystone, the real client and a real database for the tests of a file. */
export const createSignInWorld = (
  options: Partial<SignIn> = {},
  /** How far Keystone's clock is behind that of the console. */
  { keystoneLagSeconds = 0 } = {},
): SignInWorld => {
  let clock = START
  let auditedUntil = 0n
  const opened: {
    database?: Database
    openstack?: OpenStackSimulator
    runtime?: Runtime & { signIn: SignIn }
  } = {}
  const closers: (() => Promise<unknown>)[] = []
  const get = <Key extends keyof typeof opened>(key: Key): NonNullable<(typeof opened)[Key]> => {
    const value = opened[key]
    if (value === undefined) throw new Error('the world opens before the first test')
    return value
  }
  const now = () => new Date(clock)

  beforeAll(async () => {
    const database = await createTestDatabase()
    const openstack = await startOpenStack({
      hostCount: 1,
      now: () => new Date(clock - keystoneLagSeconds * 1000),
      tokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS,
      trustedDashboards: ['http://console.test/api/v1/session/websso'],
    })
    const clouds = [openCloud(CLOUD, openstack.authUrl), openCloud(DOWN, 'http://127.0.0.1:9/v3')]
    for (const { name } of clouds) await addCloud(database, name)
    const signIn: SignIn = {
      clouds,
      webSso: [{ label: 'Company login', identityProvider: 'keycloak', protocol: 'openid' }],
      roleNames: { admin: ['admin'], reader: [] },
      box: createSecretBox(['a secret of at least thirty-two characters']),
      idleMs: 30 * 60_000,
      longestMs: 8 * 3600_000,
      requests: createAccountRequests({ perSecond: 1000, log: pino({ level: 'silent' }) }),
      ...options,
    }
    closers.push(openstack.stop, ...clouds.map(({ close }) => close), () => database.close())
    Object.assign(opened, { database, openstack, runtime: createTestRuntime({ database, now, signIn }) })
  })
  afterAll(async () => {
    for (const close of closers) await close()
  })

  const facts = (given: Partial<RequestFacts> = {}): RequestFacts => ({
    cookie: null,
    authorization: null,
    isBackground: false,
    address: '10.1.2.3',
    agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ...given,
  })
  const anonymous = () => requestContext(get('runtime'), 'test-request', ANONYMOUS)

  return {
    database: () => get('database'),
    openstack: () => get('openstack'),
    runtime: () => get('runtime'),
    wait: (seconds) => {
      clock += seconds * 1000
    },
    now,
    anonymous,
    facts,
    signIn: (account, given) =>
      signInWithPassword(anonymous(), { body: signInBody(account), facts: facts(given) }),
    as: async (id) => {
      const cookie = facts({ cookie: `other=1; sliceboard-session=${id}` })
      return requestContext(get('runtime'), 'test-request', await requireSignedIn(get('runtime'), cookie))
    },
    audited: async () => {
      const rows = await get('database').prisma.auditEntry.findMany({
        where: { id: { gt: auditedUntil } },
        orderBy: { id: 'asc' },
      })
      auditedUntil = rows.at(-1)?.id ?? auditedUntil
      return rows.map(({ actor, action, subject, before, after }) => ({
        actor,
        action,
        subject,
        before,
        after,
      }))
    },
  }
}
