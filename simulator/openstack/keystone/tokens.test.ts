import { describe, expect, it } from 'vitest'
import { DEMO_ACCOUNTS, projectIdOf } from '../demo-cloud/accounts'
import { callApi, passwordBody, signIn } from '../testing/api-client'
import { openStackForTests } from '../testing/test-openstack'

let nowMs = Date.parse('2026-11-21T12:00:00Z')
const { get, keystone, nova } = openStackForTests({
  now: () => new Date(nowMs),
  tokenLifetimeSeconds: 600,
  trustedDashboards: ['https://Console.example/websso/'],
})

const post = (body: unknown, query = '') =>
  callApi(`${get().authUrl}/auth/tokens${query}`, { method: 'POST', body })

describe('a token', () => {
  it('carries user, scope, roles and catalog, and its id in a header', async () => {
    const reply = await post(passwordBody(DEMO_ACCOUNTS.admin))
    expect(reply.status).toBe(201)
    expect(reply.headers.get('x-subject-token')).toMatch(/^gAAAAA/)
    expect(reply.headers.get('vary')).toBe('X-Auth-Token')
    expect(reply.headers.get('x-openstack-request-id')).toMatch(/^req-/)
    expect(reply.body).toMatchObject({
      token: {
        methods: ['password'],
        user: { name: 'admin', domain: { id: 'default', name: 'Default' } },
        project: { name: 'admin', domain: { id: 'default' } },
        expires_at: '2026-11-21T12:10:00.000000Z',
      },
    })
    const { token } = reply.body as { token: { roles: { name: string }[]; catalog: { type: string }[] } }
    expect(token.roles.map(({ name }) => name)).toEqual(['admin', 'manager', 'member', 'reader'])
    expect(token.catalog.map(({ type }) => type)).toEqual([
      'identity',
      'compute',
      'placement',
      'network',
      'image',
    ])
  })

  it('has no catalog when none is requested, and none without a scope', async () => {
    const without = await post(passwordBody(DEMO_ACCOUNTS.admin), '?nocatalog')
    expect(without.body).not.toHaveProperty('token.catalog')
    const unscoped = await post(passwordBody(DEMO_ACCOUNTS.admin, 'unscoped'))
    expect(unscoped.body).not.toHaveProperty('token.catalog')
    expect(unscoped.body).not.toHaveProperty('token.roles')
  })

  it('is refused with 401 for a wrong password, and for a scope without a role', async () => {
    const wrong = await post(passwordBody({ ...DEMO_ACCOUNTS.admin, password: 'no' }))
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual({
      error: {
        code: 401,
        message: 'The request you have made requires authentication.',
        title: 'Unauthorized',
      },
    })
    expect((await post(passwordBody({ ...DEMO_ACCOUNTS.tenant, project: 'render-farm' }))).status).toBe(401)
    expect((await post(passwordBody(DEMO_ACCOUNTS.tenant, 'system'))).status).toBe(401)
  })

  it('of a user is found in the user’s own domain only', async () => {
    expect((await post(passwordBody(DEMO_ACCOUNTS.otherTenant))).status).toBe(201)
    expect((await post(passwordBody({ ...DEMO_ACCOUNTS.otherTenant, domain: 'Default' }))).status).toBe(401)
  })

  it('changes its scope and keeps its end', async () => {
    const unscoped = await signIn(get().authUrl, 'tenant', 'unscoped')
    nowMs += 60_000
    const reply = await post({
      auth: {
        identity: { methods: ['token'], token: { id: unscoped } },
        scope: { project: { id: projectIdOf('cfd-lab') } },
      },
    })
    expect(reply.body).toMatchObject({
      token: { project: { name: 'cfd-lab' }, methods: ['token', 'password'] },
    })
    expect(reply.body).toHaveProperty(
      'token.expires_at',
      new Date(nowMs + 540_000).toISOString().replace('Z', '000Z'),
    )
  })

  it('ends by time and by revocation', async () => {
    const [first, second] = [await signIn(get().authUrl, 'admin'), await signIn(get().authUrl, 'admin')]
    const check = (token: string) => callApi(`${get().authUrl}/auth/projects`, { token })
    const gone = await callApi(`${get().authUrl}/auth/tokens`, {
      method: 'DELETE',
      token: second,
      headers: { 'x-subject-token': first },
    })
    expect(gone.status).toBe(204)
    expect((await check(first)).status).toBe(401)
    expect((await check(second)).status).toBe(200)
    nowMs += 601_000
    const late = await check(second)
    expect(late.status).toBe(401)
    expect(late.headers.get('www-authenticate')).toContain('Keystone uri=')
  })
})

describe('a tenant', () => {
  it('finds own projects, and is refused the list of all', async () => {
    const token = await signIn(get().authUrl, 'tenant')
    const own = await callApi(`${get().authUrl}/auth/projects`, { token })
    expect((own.body as { projects: { name: string }[] }).projects.map(({ name }) => name)).toEqual([
      'cfd-lab',
    ])
    expect((await callApi(`${get().authUrl}/auth/system`, { token })).body).toMatchObject({ system: [] })
    const all = await callApi(`${get().authUrl}/projects`, { token })
    expect(all.status).toBe(403)
    expect(all.text).toContain('identity:list_projects')
  })
})

describe('an application credential', () => {
  it('is bound to its project, takes no scope, and is never of the system', async () => {
    const token = await signIn(get().authUrl, 'tenant')
    const me = await callApi(`${get().authUrl}/auth/tokens`, { token, headers: { 'x-subject-token': token } })
    const userId = (me.body as { token: { user: { id: string } } }).token.user.id
    const made = await callApi(`${get().authUrl}/users/${userId}/application_credentials`, {
      method: 'POST',
      token,
      body: { application_credential: { name: 'script' } },
    })
    expect(made.status).toBe(201)
    const { application_credential: credential } = made.body as {
      application_credential: { id: string; secret: string }
    }
    const identity = { methods: ['application_credential'], application_credential: credential }
    const used = await post({ auth: { identity } })
    expect(used.body).toMatchObject({
      token: {
        methods: ['application_credential'],
        project: { name: 'cfd-lab' },
        application_credential: { restricted: true },
      },
    })
    const scoped = await post({ auth: { identity, scope: { system: { all: true } } } })
    expect(scoped.status).toBe(401)
    expect(scoped.text).toContain('Application credentials cannot request a scope.')
    const wrong = { ...identity, application_credential: { ...credential, secret: 'no' } }
    expect((await post({ auth: { identity: wrong } })).status).toBe(401)
  })
})

describe('WebSSO', () => {
  const page = (origin: string, path = 'websso/openid') =>
    callApi(`${get().authUrl}/auth/OS-FEDERATION/${path}?origin=${encodeURIComponent(origin)}`)

  it('posts an unscoped token to a trusted dashboard', async () => {
    const reply = await page('https://console.example/websso/')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toContain('text/html')
    expect(reply.text).toContain('action="https://console.example/websso/"')
    const token = /name="token"[^>]* value="([^"]+)"/.exec(reply.text)?.[1] ?? ''
    const own = await callApi(`${get().authUrl}/auth/projects`, { token })
    expect((own.body as { projects: { name: string }[] }).projects.map(({ name }) => name)).toEqual([
      'campus-cad',
    ])
    const named = await page(
      'https://console.example/websso/',
      'identity_providers/campus-login/protocols/openid/websso',
    )
    expect(named.status).toBe(200)
  })

  it('trusts to the slash', async () => {
    expect((await page('https://console.example/websso')).status).toBe(401)
    expect((await page('https://console.example/Websso/')).status).toBe(401)
    expect((await page('https://console.example/websso/', 'websso/saml2')).status).toBe(404)
  })
})

it('lists who has which role', async () => {
  const reply = await keystone('/role_assignments?include_names=true&scope.system=all')
  expect(reply.text).toContain('"name":"auditor"')
  expect(reply.text).toContain('"system":{"all":true}')
})

it('gives a token of the system no access to Nova', async () => {
  const reply = await nova('/servers', { scope: 'system' })
  expect(reply.status).toBe(403)
  expect(reply.body).toEqual({
    forbidden: { code: 403, message: "Policy doesn't allow os_compute_api:servers:index to be performed." },
  })
})
