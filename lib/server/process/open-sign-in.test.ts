import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import { testCloudConfig } from '@/lib/openstack/testing/cloud-config'
import { parseEnv } from '@/lib/server/settings/env'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { startOpenStack } from '@/simulator/openstack/start-openstack'
import { openSignIn } from './open-sign-in'

/** As Kolla writes it: the account reaches Keystone by an internal address, the catalog has a public one. */
const PUBLIC = 'https://keystone.example.org:5000/v3'

const redirectOf = async (settings: Record<string, string>, publicUrl: string | null = PUBLIC) => {
  const openstack = await startOpenStack({ hostCount: 1 })
  onTestFinished(openstack.stop)
  const { endpoints, services } = openstack.cloud.keystone
  const identity = services.find(({ type }) => type === 'identity')
  for (const endpoint of [...endpoints])
    if (endpoint.serviceId === identity?.id && endpoint.interface === 'public') {
      if (publicUrl === null) endpoints.splice(endpoints.indexOf(endpoint), 1)
      else endpoint.url = publicUrl
    }
  const { authUrl } = openstack
  const config = testCloudConfig({ name: 'paris', authUrl, account: DEMO_ACCOUNTS.service })
  const account = createServiceAccount({ ...config, interfaces: ['internal'] })
  onTestFinished(account.close)
  const env = parseEnv({ SLICEBOARD_WEBSSO: 'Company login=keycloak/openid', ...settings })
  const { signIn } = openSignIn({ env, log: pino({ level: 'silent' }), accounts: [account] })
  const [cloud] = signIn?.clouds ?? []
  if (cloud === undefined) throw new Error('there is no cloud to sign in to')
  const keystoneUrl = (await cloud.browserKeystoneUrl?.()) ?? null
  const url = cloud.keystone.webSsoUrl({ origin: 'https://c', protocol: 'openid', keystoneUrl })
  return url.replace(authUrl, 'AUTH_URL')
}

const PATH = '/auth/OS-FEDERATION/websso/openid?origin=https%3A%2F%2Fc'

test.each([
  ['nothing is set', {}, `${PUBLIC}${PATH}`],
  [
    'the setting is for all clouds',
    { SLICEBOARD_WEBSSO_KEYSTONE_URL: 'https://login.example.org/identity/' },
    `https://login.example.org/identity/v3${PATH}`,
  ],
  [
    'the setting names the cloud',
    { SLICEBOARD_WEBSSO_KEYSTONE_URL: 'rome=https://rome.example/v3, paris=https://paris.example/v3' },
    `https://paris.example/v3${PATH}`,
  ],
])('WebSSO leads browsers to an address that they reach when %s', async (_when, settings, url) => {
  expect(await redirectOf(settings as Record<string, string>)).toBe(url)
})

test('without a public endpoint in the catalog it leads to auth_url', async () => {
  expect(await redirectOf({}, null)).toMatch(/^AUTH_URL(\/v3)?\/auth\/OS-FEDERATION/)
})

test('a setting that is no address is refused', () => {
  expect(() => parseEnv({ SLICEBOARD_WEBSSO_KEYSTONE_URL: 'keystone.internal' })).toThrow(
    'must be the Keystone address that browsers reach',
  )
})

test('the service account lists the roles of a person who signs in, implied ones too', async () => {
  const openstack = await startOpenStack({ hostCount: 1 })
  onTestFinished(openstack.stop)
  const { authUrl } = openstack
  const account = createServiceAccount(
    testCloudConfig({ name: 'paris', authUrl, account: DEMO_ACCOUNTS.service }),
  )
  onTestFinished(account.close)
  const { signIn } = openSignIn({ env: parseEnv({}), log: pino({ level: 'silent' }), accounts: [account] })
  const tenant = openstack.cloud.keystone.users.find(({ name }) => name === DEMO_ACCOUNTS.tenant.name)
  const roles = await signIn?.clouds[0]?.listUserRoles?.(tenant?.id ?? '')
  expect(roles?.map(({ role, scope }) => `${role} ${scope.kind}`)).toEqual([
    'member project',
    'reader project',
  ])
})

test('without sign-in all settings that are unsafe are reported at once', () => {
  const env = parseEnv({ SLICEBOARD_HOST: '0.0.0.0', SLICEBOARD_PROXIES: '1' })
  expect(() => openSignIn({ env, log: pino({ level: 'silent' }), accounts: [] })).toThrow(
    /SLICEBOARD_HOST is .*\nSLICEBOARD_PROXIES is/,
  )
})
