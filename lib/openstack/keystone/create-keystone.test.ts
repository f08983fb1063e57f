import { afterEach, describe, expect, it } from 'vitest'
import { serveCloud } from '../testing/served-cloud'
import { createTransport } from '../transport/create-transport'
import type { Answerer } from '../transport/testing/serve'
import { createKeystone } from './create-keystone'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const NOT_FOUND = { status: 404, body: { error: { code: 404, message: 'Not found' } } }

const open = async (answer: Answerer, suffix = '') => {
  const served = await serveCloud(answer)
  const transport = createTransport({
    cloud: 'test',
    requestsPerSecond: 1000,
    timeoutMs: 2000,
    caPem: null,
    verify: true,
    allowedOrigins: [served.origin],
  })
  cleanups.push(transport.close, served.stop)
  return {
    served,
    transport,
    keystone: createKeystone({ transport, authUrl: `${served.origin}${suffix}`, cloud: 'test' }),
  }
}

const password = {
  method: 'password',
  user: { name: 'anna', domain: { name: 'Default' } },
  password: 'p',
} as const

describe('createKeystone', () => {
  it('reads a token with user, scope, roles and catalog', async () => {
    const { keystone, served } = await open(() => NOT_FOUND, '/v3/')
    const token = await keystone.authenticate({
      identity: password,
      scope: { kind: 'project', project: { id: 'p1' } },
    })
    expect(token).toMatchObject({
      id: 'token-1',
      user: { id: 'u1', name: 'sliceboard', domainId: 'default', domainName: 'Default' },
      scope: { kind: 'project', id: 'p1', name: 'service', domainId: 'default' },
      roles: [{ id: 'r1', name: 'admin' }],
    })
    expect(token.catalog.map((entry) => entry.type)).toEqual(['identity', 'compute', 'placement'])
    expect(served.seen[0]?.url).toBe('/v3/auth/tokens')
  })

  it.each([
    [{ kind: 'system' } as const, { system: { all: true } }],
    [{ kind: 'domain', domain: { id: 'd' } } as const, { domain: { id: 'd' } }],
    [{ kind: 'unscoped' } as const, 'unscoped'],
  ])('requests scope %j', async (scope, sent) => {
    const { keystone, served } = await open(() => NOT_FOUND)
    await keystone.authenticate({ identity: { method: 'token', tokenId: 't' }, scope })
    expect(JSON.parse(served.seen[0]?.body ?? '').auth).toEqual({
      identity: { methods: ['token'], token: { id: 't' } },
      scope: sent,
    })
  })

  it('validates and revokes, and takes an ended token for no error', async () => {
    const { keystone } = await open(() => NOT_FOUND)
    expect(await keystone.validate({ tokenId: 'gone' })).toBeNull()
    await keystone.revoke({ tokenId: 'gone' })
  })

  it('lists projects of a token and reports whether it has the system scope', async () => {
    const { keystone } = await open(({ url }) => {
      if (url === '/v3/auth/projects') {
        return { body: { projects: [{ id: 'p', name: 'demo', domain_id: 'default', enabled: true }] } }
      }
      return url === '/v3/auth/system' ? { body: { system: [] } } : NOT_FOUND
    })
    expect(await keystone.listProjects('t')).toEqual([
      { id: 'p', name: 'demo', domainId: 'default', isEnabled: true, description: null },
    ])
    expect(await keystone.hasSystemScope('t')).toBe(false)
    expect(await keystone.version()).toBe('3.14')
  })

  it.each([403, 404])('takes status %i for the system scope as having none', async (status) => {
    const { keystone } = await open(() => ({ ...NOT_FOUND, status }))
    expect(await keystone.hasSystemScope('t')).toBe(false)
  })

  it('lists the roles of a user on projects and on the system', async () => {
    const { keystone, served } = await open(() => ({
      body: {
        role_assignments: [
          { role: { id: 'r1', name: 'reader' }, user: { id: 'u1' }, scope: { system: { all: true } } },
          { role: { id: 'r2', name: 'member' }, user: { id: 'u1' }, scope: { project: { id: 'p1' } } },
          { role: { id: 'r3', name: 'admin' }, user: { id: 'u1' }, scope: { domain: { id: 'd1' } } },
        ],
      },
    }))
    expect(await keystone.listUserRoles({ tokenId: 't', userId: 'u1' })).toEqual([
      { role: 'reader', scope: { kind: 'system' } },
      { role: 'member', scope: { kind: 'project', id: 'p1' } },
    ])
    expect(served.seen[0]?.url).toBe('/v3/role_assignments?user.id=u1&effective=true&include_names=true')
  })

  const issued = { issued_at: '2026-11-26T12:00:00.000000Z', expires_at: '2026-11-26T13:00:00.000000Z' }
  const domain = { id: 'default', name: 'Default' }
  const bodyOf = (more: object) => ({
    token: { ...issued, user: { id: 'u1', name: 'jane', domain }, ...more },
  })

  // field: keystone 10
  it('counts the lifetime of a token from when it was received, and reports the difference of the clocks', async () => {
    const differences: number[] = []
    const { served, transport } = await open(({ method }) => ({
      status: method === 'POST' ? 201 : 200,
      headers: { 'x-subject-token': 't', date: 'Thu, 26 Nov 2026 12:15:00 GMT' },
      body: bodyOf({}),
    }))
    const keystone = createKeystone({
      transport,
      authUrl: served.origin,
      cloud: 'test',
      onClockDifference: (ms) => differences.push(ms),
    })
    const token = await keystone.authenticate({ identity: password, scope: { kind: 'unscoped' } })
    expect(token.remainingMs).toBe(3_600_000)
    const expected = Date.parse(issued.issued_at) - Date.now()
    expect(differences).toEqual([expect.closeTo(expected, -4)])
    expect((await keystone.validate({ tokenId: 't' }))?.remainingMs).toBe(45 * 60_000)
  })

  // field: keystone 13; keystone 2024.1: keystone/catalog/backends/templated.py
  it('reads a catalog without ids', async () => {
    const endpoints = [{ interface: 'public', region: 'RegionOne', url: 'http://nova:8774/v2.1' }]
    const catalog = [{ type: 'compute', name: 'Compute Service', endpoints }]
    const { keystone } = await open(() => ({
      status: 201,
      headers: { 'x-subject-token': 't' },
      body: bodyOf({ catalog }),
    }))
    const token = await keystone.authenticate({ identity: password, scope: { kind: 'unscoped' } })
    expect(token.catalog).toEqual([
      {
        id: null,
        type: 'compute',
        name: 'Compute Service',
        endpoints: [{ id: null, interface: 'public', regionId: 'RegionOne', url: 'http://nova:8774/v2.1' }],
      },
    ])
  })

  it('builds WebSSO addresses with the origin unchanged', async () => {
    const { keystone, served } = await open(() => NOT_FOUND)
    const origin = 'https://console.example/auth/websso/'
    expect(keystone.webSsoUrl({ origin, protocol: 'openid' })).toBe(
      `${served.origin}/v3/auth/OS-FEDERATION/websso/openid?origin=https%3A%2F%2Fconsole.example%2Fauth%2Fwebsso%2F`,
    )
    expect(keystone.webSsoUrl({ origin, protocol: 'openid', identityProvider: 'corp' })).toContain(
      '/v3/auth/OS-FEDERATION/identity_providers/corp/protocols/openid/websso?origin=',
    )
  })

  it('names the place of an answer in another shape', async () => {
    const { keystone } = await open(() => ({ body: { projects: [{ id: 7 }] } }))
    await expect(keystone.listProjects('t')).rejects.toMatchObject({
      kind: 'invalid-answer',
      message: expect.stringContaining('projects.0.id'),
    })
  })
})

/** Keystone's limits with its trap: PATCH to 0 answers 200 and changes nothing. */
const serveLimits = () => {
  const limit = {
    service_id: 's',
    region_id: 'RegionOne',
    project_id: 'p',
    domain_id: null,
    resource_name: 'class:VGPU',
  }
  const stored = new Map<string, number>([['l1', 5]])
  const body = (id: string) => ({ ...limit, id, resource_limit: stored.get(id) ?? -1 })
  const answer: Answerer = ({ method, url, body: text }) => {
    const id = url.split('/')[3] ?? ''
    const sent = text === '' ? {} : JSON.parse(text)
    if (method === 'POST') {
      stored.set('l2', sent.limits[0].resource_limit)
      return { status: 201, body: { limits: [body('l2')] } }
    }
    if (!stored.has(id)) return NOT_FOUND
    if (method === 'DELETE') return stored.delete(id) ? { status: 204 } : NOT_FOUND
    if (method === 'PATCH' && sent.limit.resource_limit) stored.set(id, sent.limit.resource_limit)
    return { body: { limit: body(id) } }
  }
  return { answer, stored }
}

describe('limits of Keystone', () => {
  it('sets a limit to 0 by deleting and creating it, and reads it back', async () => {
    const { answer, stored } = serveLimits()
    const { keystone, served } = await open(answer)
    expect(await keystone.limits.update({ tokenId: 't', id: 'l1', resourceLimit: 3 })).toMatchObject({
      id: 'l1',
      resourceLimit: 3,
    })
    const zero = await keystone.limits.update({ tokenId: 't', id: 'l1', resourceLimit: 0 })
    expect(zero).toMatchObject({ id: 'l2', projectId: 'p', regionId: 'RegionOne', resourceLimit: 0 })
    expect([...stored]).toEqual([['l2', 0]])
    expect(served.seen.map((request) => request.method)).toEqual([
      'PATCH',
      'GET',
      'GET',
      'DELETE',
      'POST',
      'GET',
    ])
  })

  it('reports that Keystone accepted a value and did not store it', async () => {
    const { keystone } = await open(({ method }) =>
      method === 'PATCH'
        ? { body: {} }
        : { body: { limit: { id: 'l', service_id: 's', resource_name: 'servers', resource_limit: 9 } } },
    )
    await expect(keystone.limits.update({ tokenId: 't', id: 'l', resourceLimit: 3 })).rejects.toThrow(
      'took the limit servers of 3, but still answers 9',
    )
  })

  it('passes on the 403 of a registered limit with overrides', async () => {
    const message = 'Unable to update registered limit r because there are project limits associated with it.'
    const { keystone } = await open(() => ({ status: 403, body: { error: { code: 403, message } } }))
    await expect(
      keystone.limits.updateRegistered({ tokenId: 't', id: 'r', defaultLimit: 1 }),
    ).rejects.toMatchObject({ status: 403, detail: message })
  })

  it('lists by exact region and reports when Keystone cut the list', async () => {
    const { keystone, served } = await open(() => ({ body: { registered_limits: [], truncated: true } }))
    expect(await keystone.limits.listRegistered({ tokenId: 't', regionId: 'RegionOne' })).toEqual({
      items: [],
      incompleteBecause:
        "Keystone's list of registered limits is incomplete after 0: Keystone cut it ([unified_limit] list_limit); raise the option.",
    })
    expect(served.seen[0]?.url).toBe('/v3/registered_limits?region_id=RegionOne')
  })
})
