import { afterEach, describe, expect, it } from 'vitest'
import { OpenStackError } from '../openstack-error'
import { serveCloud } from '../testing/served-cloud'
import type { Answerer } from '../transport/testing/serve'
import { createServiceAccount } from './create-service-account'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const NOT_FOUND = { status: 404, body: { error: { code: 404, message: 'Not found', title: 'Not Found' } } }

const open = async (answer: Answerer, options = {}, config = {}) => {
  const served = await serveCloud(answer, options)
  const account = createServiceAccount({ ...served.config, ...config })
  cleanups.push(account.close, served.stop)
  const tokenRequests = () => served.seen.filter((request) => request.url === '/v3/auth/tokens')
  return { served, account, tokenRequests }
}

const list = { service: 'placement', method: 'GET', path: '/resource_providers' } as const

describe('createServiceAccount', () => {
  it('requests a token once, however many requests wait for it', async () => {
    const { served, account, tokenRequests } = await open((request) =>
      request.url === '/placement/resource_providers' ? { body: { ok: true } } : NOT_FOUND,
    )
    await Promise.all(Array.from({ length: 5 }, () => account.request(list)))
    expect(tokenRequests()).toHaveLength(1)
    expect(served.seen.at(-1)?.headers['x-auth-token']).toBe('token-1')
    expect(JSON.parse(tokenRequests()[0]?.body ?? '')).toEqual({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'sliceboard', domain: { id: 'default' }, password: 'Zwetschge' } },
        },
        scope: { project: { name: 'service', domain: { id: 'default' } } },
      },
    })
  })

  it('fetches a new token once after a 401, and then believes the service', async () => {
    const { account, tokenRequests } = await open((request) => {
      if (request.url !== '/placement/resource_providers') return NOT_FOUND
      return request.headers['x-auth-token'] === 'token-2' ? { body: {} } : { status: 401 }
    })
    await account.request(list)
    expect(tokenRequests()).toHaveLength(2)

    const refusing = await open((request) =>
      request.url.startsWith('/placement') ? { status: 401 } : NOT_FOUND,
    )
    await expect(refusing.account.request(list)).rejects.toMatchObject({ kind: 'auth', service: 'placement' })
    expect(refusing.tokenRequests()).toHaveLength(2)
  })

  it('renews a token before it expires', async () => {
    const { account, tokenRequests } = await open(() => NOT_FOUND, { lifeMs: 200 })
    const first = await account.token('project')
    expect(await account.token('project')).toBe(first)
    await new Promise((resolve) => setTimeout(resolve, 170))
    expect((await account.token('project')).id).toBe('token-2')
    expect(tokenRequests()).toHaveLength(2)
  })

  it('keeps a system-scoped token next to the project’s', async () => {
    const { account } = await open((request) =>
      request.url === '/v3/auth/system' ? { body: { system: [{ all: true }], links: {} } } : NOT_FOUND,
    )
    expect((await account.token('project')).scope.kind).toBe('project')
    expect((await account.token('system')).scope.kind).toBe('system')
    expect(await account.hasSystemScope()).toBe(true)
  })

  it('reports that an application credential can’t have the system scope, and sends no scope', async () => {
    const auth = { kind: 'application-credential', credential: { id: 'ac' }, secret: 's' } as const
    const { account, tokenRequests } = await open(() => NOT_FOUND, {}, { auth })
    await account.token('project')
    expect(JSON.parse(tokenRequests()[0]?.body ?? '')).toEqual({
      auth: {
        identity: {
          methods: ['application_credential'],
          application_credential: { id: 'ac', secret: 's' },
        },
      },
    })
    expect(await account.hasSystemScope()).toBe(false)
    await expect(account.token('system')).rejects.toThrow('can never have the system scope')
  })

  it('finds endpoints by interface and region, and lets overrides win', async () => {
    const { account, served } = await open(() => NOT_FOUND)
    expect(await account.endpoint('nova')).toBe(`${served.origin}/compute/v2.1`)
    expect(await account.novaEndpointIds()).toEqual({ serviceId: 'nova', regionId: 'RegionOne' })
    const other = await open(() => NOT_FOUND, {}, { region: 'Elsewhere' })
    await expect(other.account.endpoint('nova')).rejects.toThrow(
      'no public endpoint of Nova in region "Elsewhere"',
    )
    const override = await open(
      () => NOT_FOUND,
      {},
      { services: { nova: { endpointOverride: 'http://127.0.0.1:1/x' } } },
    )
    expect(await override.account.endpoint('nova')).toBe('http://127.0.0.1:1/x/v2.1')
  })

  it('lets people sign in while the rate of the console is used up', async () => {
    const { account, served } = await open(
      (request) => (request.url.startsWith('/placement') ? { body: {} } : NOT_FOUND),
      {},
      { requestsPerSecond: 5 },
    )
    const reads = Promise.all(Array.from({ length: 40 }, () => account.request(list)))
    await account.signInKeystone.authenticate({
      identity: { method: 'password', user: { name: 'anna', domain: { name: 'Default' } }, password: 'p' },
      scope: { kind: 'unscoped' },
    })
    expect(served.seen.filter(({ url }) => url.startsWith('/placement')).length).toBeLessThan(15)
    reads.catch(() => undefined)
  })

  it('reports the error of Keystone, and not the password', async () => {
    const message = 'The password Zwetschge is wrong.'
    const { account } = await open((request) =>
      request.url === '/v3/auth/tokens'
        ? { status: 401, body: { error: { code: 401, message } } }
        : NOT_FOUND,
    )
    const error: unknown = await account.request(list).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(OpenStackError)
    expect(error).toMatchObject({ kind: 'auth', service: 'keystone', detail: 'The password *** is wrong.' })
    expect(String(error)).not.toContain('Zwetschge')
  })

  // field: keystone 12; keystoneauth1/identity/v3/base.py: token_url
  it('sends the password to auth_url, and requests with a token to identity_endpoint_override', async () => {
    const inner = await serveCloud(() => ({ body: { projects: [], links: {} } }))
    cleanups.push(inner.stop)
    const services = { keystone: { endpointOverride: inner.origin } }
    const { account, tokenRequests } = await open(() => NOT_FOUND, {}, { services })
    const token = await account.token('project')
    await account.keystone.listAllProjects({ tokenId: token.id })
    expect(tokenRequests()).toHaveLength(1)
    expect(inner.seen.map(({ url }) => url)).toEqual(['/v3/projects?limit=1000'])
  })

  // field: keystone 11
  it('finds the endpoint of a service by the settings of that service, and lists what there is', async () => {
    const services = { placement: { interfaces: ['internal'] as const, region: 'shared' } }
    const { account, served } = await open(() => NOT_FOUND, {}, { services })
    expect(await account.endpoint('nova')).toBe(`${served.origin}/compute/v2.1`)
    await expect(account.endpoint('placement')).rejects.toThrow(
      'has no internal endpoint of Placement in region "shared". It has: admin in RegionOne, internal in RegionOne, public in RegionOne. Correct interface and region_name in clouds.yaml.',
    )
  })

  it('names what to check when the catalog has no endpoint of a service', async () => {
    const services = { placement: { serviceName: 'other' } }
    const { account } = await open(() => NOT_FOUND, {}, { services })
    await expect(account.endpoint('placement')).rejects.toThrow(
      'It has no endpoint of this service; check that Keystone has the service, and its service_type and service_name in clouds.yaml.',
    )
  })

  // field: keystone 14; keystoneauth1/identity/v3/base.py
  it('scopes a token to a trust, which never has the system scope', async () => {
    const { account, tokenRequests } = await open(
      () => NOT_FOUND,
      {},
      {
        auth: {
          kind: 'password',
          user: { id: 'u' },
          password: 'p',
          project: null,
          trustId: 't1',
          isSystemScoped: false,
        },
      },
    )
    await account.token('project')
    expect(JSON.parse(tokenRequests()[0]?.body ?? '')).toMatchObject({
      auth: { scope: { 'OS-TRUST:trust': { id: 't1' } } },
    })
    expect(await account.hasSystemScope()).toBe(false)
    await expect(account.token('system')).rejects.toThrow('can never have the system scope')
  })
})
