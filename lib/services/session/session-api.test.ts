import { beforeAll, beforeEach, expect, test } from 'vitest'
import * as tokenRoute from '@/app/api/v1/api-tokens/[id]/route'
import * as tokensRoute from '@/app/api/v1/api-tokens/route'
import * as overviewRoute from '@/app/api/v1/overview/route'
import * as requestsRoute from '@/app/api/v1/own-requests/route'
import * as sessionRoute from '@/app/api/v1/session/route'
import * as scopeRoute from '@/app/api/v1/session/scope/route'
import * as scopesRoute from '@/app/api/v1/session/scopes/route'
import * as finishRoute from '@/app/api/v1/session/websso/finish/route'
import * as webSsoRoute from '@/app/api/v1/session/websso/route'
import * as sessionsRoute from '@/app/api/v1/sessions/route'
import { setRuntime } from '@/lib/server/context/runtime'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { CLOUD, createSignInWorld, signInBody } from './testing/sign-in-world'

const ORIGIN = 'http://console.test'
const world = createSignInWorld()
beforeAll(() => setRuntime(world.runtime()))
beforeEach(() => world.wait(86_400))

type Handler = (request: Request, segment: { params: Promise<Record<string, string>> }) => Promise<Response>
type Sent = {
  method?: string
  path?: string
  body?: unknown
  cookie?: string
  headers?: Record<string, string>
  params?: Record<string, string>
}

const bodyOf = (body: unknown): RequestInit & { duplex?: 'half' } => {
  if (body === undefined) return {}
  if (body instanceof URLSearchParams) return { body }
  return body instanceof ReadableStream ? { body, duplex: 'half' } : { body: JSON.stringify(body) }
}

const send = (
  handler: Handler,
  { method = 'GET', path = '/', body, cookie, headers = {}, params = {} }: Sent = {},
) =>
  handler(
    new Request(`${ORIGIN}${path}`, {
      method,
      ...bodyOf(body),
      headers: {
        host: 'console.test',
        origin: ORIGIN,
        ...(body === undefined || body instanceof URLSearchParams
          ? {}
          : { 'content-type': 'application/json' }),
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
    }),
    { params: Promise.resolve(params) },
  )

/** What a browser would send back. */
const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')

const signedIn = async (account: keyof typeof DEMO_ACCOUNTS) =>
  cookiesOf(await send(sessionRoute.POST, { method: 'POST', body: signInBody(account) }))

test('the cookie can be read by no script and travels with no foreign form', async () => {
  const response = await send(sessionRoute.POST, { method: 'POST', body: signInBody('tenant') })
  expect([response.status, await response.json()]).toEqual([201, { isScoped: true }])
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^sliceboard-session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('over HTTPS the cookie is bound to the host and to TLS', async () => {
  const env = { ...world.runtime().env, url: 'https://console.test' }
  setRuntime({ ...world.runtime(), env })
  const headers = { origin: 'https://console.test' }
  const response = await send(sessionRoute.POST, { method: 'POST', body: signInBody('tenant'), headers })
  const plain = await send(sessionRoute.POST, { method: 'POST', body: signInBody('tenant') })
  const account = await send(sessionRoute.GET, { cookie: cookiesOf(response) })
  setRuntime(world.runtime())
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-sliceboard-session=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  ])
  expect(account.status).toBe(200)
  expect(plain.status).toBe(403)
})

test('without a session every route answers 401, and without a selected project the error requests a selection', async () => {
  const nobody = await send(overviewRoute.GET, { path: '/api/v1/overview' })
  expect([nobody.status, (await nobody.json()).error]).toMatchObject([
    401,
    { code: 'unauthorized', message: 'You are not signed in. Sign in to continue.' },
  ])
  const cookie = await signedIn('admin')
  const choosing = await send(overviewRoute.GET, { path: '/api/v1/overview', cookie })
  expect([choosing.status, (await choosing.json()).error.message]).toEqual([
    401,
    'Select a project or the system to continue.',
  ])
  const chosen = await send(scopeRoute.POST, { method: 'POST', body: { kind: 'system' }, cookie })
  const after = cookiesOf(chosen)
  expect((await send(overviewRoute.GET, { path: '/api/v1/overview', cookie: after })).status).toBe(200)
})

test('another role comes with another cookie, and the one before opens nothing any more', async () => {
  const before = await signedIn('admin')
  const take = () => send(scopeRoute.POST, { method: 'POST', body: { kind: 'system' }, cookie: before })
  const both = await Promise.all([take(), take()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  const chosen = both.find(({ status }) => status === 200)
  expect(chosen?.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^sliceboard-session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  const after = chosen === undefined ? '' : cookiesOf(chosen)
  expect(after).not.toBe(before)
  expect((await send(sessionRoute.GET, { cookie: before })).status).toBe(401)
  expect((await send(sessionRoute.GET, { cookie: after })).status).toBe(200)
})

test('signing in creates a new session id and ends the session of the browser', async () => {
  const planted = `sliceboard-session=${'A'.repeat(43)}`
  const signIn = (cookie: string) =>
    send(sessionRoute.POST, { method: 'POST', body: signInBody('tenant'), cookie })
  const first = cookiesOf(await signIn(planted))
  expect(first).not.toBe(planted)
  expect((await send(sessionRoute.GET, { cookie: planted })).status).toBe(401)
  const refused = await send(sessionRoute.POST, {
    method: 'POST',
    body: signInBody('tenant', { password: 'wrong' }),
    cookie: first,
  })
  expect([refused.status, (await send(sessionRoute.GET, { cookie: first })).status]).toEqual([401, 200])
  const second = cookiesOf(await signIn(first))
  expect((await send(sessionRoute.GET, { cookie: first })).status).toBe(401)
  expect((await send(sessionRoute.GET, { cookie: second })).status).toBe(200)
})

test('a cookie that was stolen is worth nothing once its owner has signed out everywhere', async () => {
  const [stolen, own] = [await signedIn('tenant'), await signedIn('tenant')]
  const scopes = (cookie: string) => send(scopesRoute.GET, { cookie })
  expect((await scopes(stolen)).status).toBe(200)
  const all = { method: 'DELETE', path: '/api/v1/sessions?which=all', cookie: own }
  expect((await send(sessionsRoute.DELETE, all)).status).toBe(204)
  for (const cookie of [stolen, own]) {
    expect((await scopes(cookie)).status).toBe(401)
    const choose = { method: 'POST', body: { kind: 'system' }, cookie }
    expect((await send(scopeRoute.POST, choose)).status).toBe(401)
  }
})

/** A body that arrives only when it is read and the given work has ended: its sender may take half a minute. */
const lateBody = (body: unknown, whileSending: () => Promise<unknown>) =>
  new ReadableStream(
    {
      async pull(controller) {
        await whileSending()
        controller.enqueue(new TextEncoder().encode(JSON.stringify(body)))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )

test('a session that ends while the body of a request arrives changes nothing', async () => {
  const input = { label: 'kept', access: 'write', lifetimeDays: 365 }
  const make = (given: Pick<Sent, 'cookie' | 'headers'>, whileSending: () => Promise<unknown>) =>
    send(tokensRoute.POST, { method: 'POST', body: lateBody(input, whileSending), ...given })
  const [stolen, own] = [await signedIn('tenant'), await signedIn('tenant')]
  const made = await make({ cookie: own }, async () => undefined)
  const { id, token } = await made.json()
  expect(made.status).toBe(201)
  const late = await make({ cookie: stolen }, () =>
    send(sessionsRoute.DELETE, { method: 'DELETE', path: '/api/v1/sessions?which=others', cookie: own }),
  )
  expect([late.status, (await late.json()).error.message]).toEqual([
    401,
    'This session was ended from another one of yours. Sign in to continue.',
  ])
  expect(await world.database().prisma.apiToken.count()).toBe(1)
  const refused = await send(requestsRoute.POST, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: lateBody({}, () =>
      send(tokenRoute.DELETE, { method: 'DELETE', cookie: own, params: { id: String(id) } }),
    ),
  })
  expect([refused.status, (await refused.json()).error.message]).toEqual([
    401,
    'The API token was revoked, or expired, while its request came in.',
  ])
})

test('a tenant is known, but sees nothing of the fleet', async () => {
  const response = await send(overviewRoute.GET, {
    path: '/api/v1/overview',
    cookie: await signedIn('tenant'),
  })
  expect([response.status, (await response.json()).error.code]).toEqual([403, 'forbidden'])
})

test('a sign-in or a change from another site is refused before anything is checked', async () => {
  const headers = { origin: 'http://evil.example' }
  const forged = await send(sessionRoute.POST, { method: 'POST', body: signInBody('tenant'), headers })
  expect([forged.status, forged.headers.getSetCookie()]).toEqual([403, []])
  const cookie = await signedIn('tenant')
  expect((await send(sessionsRoute.DELETE, { method: 'DELETE', cookie, headers })).status).toBe(403)
  expect((await send(sessionRoute.GET, { cookie })).status).toBe(200)
})

test('signing out takes the cookie away and reports it afterwards', async () => {
  const cookie = await signedIn('tenant')
  const response = await send(sessionRoute.DELETE, { method: 'DELETE', cookie })
  expect([response.status, response.headers.getSetCookie()]).toEqual([
    204,
    [expect.stringMatching(/^sliceboard-session=;.*Max-Age=0/)],
  ])
  const after = await send(sessionRoute.GET, { cookie })
  expect([after.status, (await after.json()).error.message]).toEqual([
    401,
    'You have signed out. Sign in to continue.',
  ])
})

const START = `/api/v1/session/websso?cloud=${CLOUD}&provider=Company+login&next=%2Fgpus`

/** The simulated provider identifies the user, and Keystone answers with its form. */
const keystoneForm = async (location: string): Promise<{ action: string; token: string }> => {
  const page = await (await fetch(location, { redirect: 'manual' })).text()
  const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
  const token = /name="token"[^>]*value="([^"]+)"/.exec(page)?.[1] ?? ''
  return { action, token }
}

const letProviderKnow = (account: keyof typeof DEMO_ACCOUNTS) => {
  const { keystone } = world.openstack().cloud
  const user = keystone.users.find(({ name }) => name === DEMO_ACCOUNTS[account].name)
  keystone.identityProviders = [{ id: 'keycloak', protocols: ['openid'], userId: user?.id ?? '' }]
}

const postToken = (token: string) =>
  send(webSsoRoute.POST, {
    method: 'POST',
    body: new URLSearchParams({ token }),
    // As Keystone's page sends it: from its own site, without our cookies.
    headers: { origin: world.openstack().origin, 'sec-fetch-site': 'cross-site' },
  })

test('WebSSO leads through Keystone and back to where the person wanted to be', async () => {
  letProviderKnow('tenant')
  const start = await send(webSsoRoute.GET, { path: START })
  const location = start.headers.get('location') ?? ''
  expect(location).toContain(
    '/auth/OS-FEDERATION/identity_providers/keycloak/protocols/openid/websso?origin=http%3A%2F%2Fconsole.test%2Fapi%2Fv1%2Fsession%2Fwebsso',
  )
  const { action, token } = await keystoneForm(location)
  expect(action).toBe('http://console.test/api/v1/session/websso')
  const posted = await postToken(token)
  expect([posted.status, posted.headers.get('location')]).toEqual([303, '/api/v1/session/websso/finish'])
  expect(posted.headers.getSetCookie().join()).not.toContain(token)
  const finished = await send(finishRoute.GET, { cookie: `${cookiesOf(start)}; ${cookiesOf(posted)}` })
  expect([finished.status, finished.headers.get('location')]).toEqual([303, '/gpus'])
  const account = await send(sessionRoute.GET, { cookie: cookiesOf(finished) })
  expect(await account.json()).toMatchObject({ user: 'm.ferrand', role: 'tenant' })
})

test('who has a choice comes back to choose, and then continues', async () => {
  letProviderKnow('admin')
  const start = await send(webSsoRoute.GET, { path: START })
  const posted = await postToken((await keystoneForm(start.headers.get('location') ?? '')).token)
  const finished = await send(finishRoute.GET, { cookie: `${cookiesOf(start)}; ${cookiesOf(posted)}` })
  expect(finished.headers.get('location')).toBe('/login?next=%2Fgpus')
})

test('a token that this browser did not ask for opens nothing', async () => {
  letProviderKnow('tenant')
  const start = await send(webSsoRoute.GET, { path: START })
  const posted = await postToken((await keystoneForm(start.headers.get('location') ?? '')).token)
  const before = await world.database().prisma.session.count()
  for (const cookie of ['', cookiesOf(posted), cookiesOf(start)]) {
    const finished = await send(finishRoute.GET, { cookie })
    expect(finished.headers.get('location')).toBe('/login?problem=not-started')
  }
  world.wait(16 * 60)
  const late = await send(finishRoute.GET, { cookie: `${cookiesOf(start)}; ${cookiesOf(posted)}` })
  expect(late.headers.get('location')).toBe('/login?problem=not-started')
  expect(await world.database().prisma.session.count()).toBe(before)
})

test('no other site begins a WebSSO sign-in, to send its own token behind it', async () => {
  for (const site of ['cross-site', 'same-site']) {
    const start = await send(webSsoRoute.GET, { path: START, headers: { 'sec-fetch-site': site } })
    expect([start.status, start.headers.getSetCookie()]).toEqual([403, []])
  }
  for (const site of ['same-origin', 'none']) {
    const start = await send(webSsoRoute.GET, { path: START, headers: { 'sec-fetch-site': site } })
    expect(start.status).toBe(303)
  }
})

test('a token that Keystone does not know is refused with the reason', async () => {
  const start = await send(webSsoRoute.GET, { path: START })
  const posted = await postToken('gAAAAABmade-up')
  const finished = await send(finishRoute.GET, { cookie: `${cookiesOf(start)}; ${cookiesOf(posted)}` })
  expect(finished.headers.get('location')).toMatch(/^\/login\?next=%2Fgpus&problem=failed&request=[\w-]+$/)
})

test('WebSSO never redirects to another site', async () => {
  letProviderKnow('tenant')
  for (const next of ['%2F%2Fevil.example', '%2F.%2F%2Fevil.example']) {
    const start = await send(webSsoRoute.GET, { path: START.replace('%2Fgpus', next) })
    const posted = await postToken((await keystoneForm(start.headers.get('location') ?? '')).token)
    const finished = await send(finishRoute.GET, { cookie: `${cookiesOf(start)}; ${cookiesOf(posted)}` })
    expect(finished.headers.get('location')).toBe('/')
  }
})
