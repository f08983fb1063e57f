import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as healthRoute from '@/app/api/health/route'
import * as sessionRoute from '@/app/api/v1/session/route'
import * as scopesRoute from '@/app/api/v1/session/scopes/route'
import * as finishRoute from '@/app/api/v1/session/websso/finish/route'
import * as webSsoRoute from '@/app/api/v1/session/websso/route'
import { createKeystone } from '@/lib/openstack/keystone/create-keystone'
import { createTransport } from '@/lib/openstack/transport/create-transport'
import { type Served, type ServedAnswer, serve } from '@/lib/openstack/transport/testing/serve'
import { setRuntime } from '@/lib/server/context/runtime'
import { ServiceError } from '@/lib/server/errors/service-error'
import { answerError, audienceOf } from '@/lib/server/http/error-response'
import { loginNotice } from './login-notice'
import { createSignInWorld, signInBody } from './testing/sign-in-world'

const world = createSignInWorld()
const BACKEND_DETAILS =
  /keystone|mysql|dberror|127\.0\.0\.1|localhost|econn|certificate|ssl|database|5432|identity\/v3/i

let logged = ''
const log = pino(
  { level: 'trace' },
  new Writable({
    write: (chunk, _encoding, done) => {
      logged += String(chunk)
      done()
    },
  }),
)

let keystone: Served
let answer: ServedAnswer = 'drop'
const closers: (() => Promise<unknown>)[] = []

const useKeystone = (authUrl: string) => {
  const transport = createTransport({
    cloud: 'paris',
    requestsPerSecond: 1000,
    timeoutMs: 2000,
    caPem: null,
    verify: true,
    allowedOrigins: [authUrl],
  })
  closers.push(transport.close)
  const cloud = {
    name: 'paris',
    region: null,
    keystone: createKeystone({ transport, authUrl, cloud: 'paris' }),
  }
  const { signIn } = world.runtime()
  setRuntime({ ...world.runtime(), log, signIn: { ...signIn, clouds: [cloud] } })
}

beforeAll(async () => {
  keystone = await serve(() => answer)
  closers.push(keystone.stop)
})
afterAll(async () => {
  for (const close of closers) await close()
})

type Handler = (request: Request, segment: { params: Promise<Record<string, string>> }) => Promise<Response>
const send = (
  handler: Handler,
  path: string,
  { method = 'GET', body, cookie }: { method?: string; body?: BodyInit; cookie?: string } = {},
) =>
  handler(
    new Request(`http://console.test${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: {
        host: 'console.test',
        origin: 'http://console.test',
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(cookie === undefined ? {} : { cookie }),
      },
    }),
    { params: Promise.resolve({}) },
  )

const signIn = () =>
  send(sessionRoute.POST, '/api/v1/session', { method: 'POST', body: JSON.stringify(signInBody('tenant')) })

const CAUSES: [string, () => string, ServedAnswer][] = [
  ['is down', () => 'http://127.0.0.1:9/v3', 'drop'],
  ['closes the connection', () => `${keystone.origin}/v3`, 'drop'],
  ['is not TLS at an https address', () => `${keystone.origin.replace('http', 'https')}/v3`, 'drop'],
  [
    'fails on its database',
    () => `${keystone.origin}/v3`,
    {
      status: 500,
      body: {
        error: {
          code: 500,
          message: '(pymysql.err.OperationalError) DBError mysql://keystone:geheim@10.0.0.5:3306/keystone',
        },
      },
    },
  ],
  ['answers something else', () => `${keystone.origin}/v3`, { status: 200, body: '<html>nginx</html>' }],
  [
    'sends the browser away',
    () => `${keystone.origin}/v3`,
    { status: 302, headers: { location: 'http://10.0.0.9/' } },
  ],
]

const SENTENCE =
  /^The service is not available at the moment\. Try again in a few minutes\. If the problem persists, report the request ID ([\w-]+) to an admin\.$/

test.each(CAUSES)(
  'sign-in has one sentence where Keystone %s, and the log has the reason',
  async (_what, url, given) => {
    answer = given
    useKeystone(url())
    logged = ''
    const response = await signIn()
    const { error } = await response.json()
    expect([response.status, error.code]).toEqual([503, 'unavailable'])
    expect(error.message).toMatch(SENTENCE)
    expect(SENTENCE.exec(error.message)?.[1]).toBe(error.requestId)
    expect(JSON.stringify({ ...error, requestId: '' })).not.toMatch(BACKEND_DETAILS)
    expect(logged).toContain(error.requestId)
    expect(logged).toMatch(BACKEND_DETAILS)
  },
)

test('a refused sign-in does not repeat the reason that Keystone gives', async () => {
  answer = {
    status: 401,
    body: { error: { code: 401, message: 'The account is locked for user: 1f6b, see mysql://keystone' } },
  }
  useKeystone(`${keystone.origin}/v3`)
  logged = ''
  const { error } = await (await signIn()).json()
  expect(error).toMatchObject({
    code: 'unauthorized',
    message: 'The name, password or domain is not correct. Check all three and try again.',
  })
  expect(logged).toContain('The account is locked')
})

test('a cloud or a provider that is not there does not list the others', async () => {
  useKeystone(`${keystone.origin}/v3`)
  const unknown = await send(sessionRoute.POST, '/api/v1/session', {
    method: 'POST',
    body: JSON.stringify(signInBody('tenant', { cloud: 'x' })),
  })
  expect((await unknown.json()).error.message).not.toMatch(/paris|rome/)
  const provider = await send(webSsoRoute.GET, '/api/v1/session/websso?cloud=paris&provider=other&next=%2F')
  expect((await provider.json()).error.message).not.toMatch(/Company|SLICEBOARD/)
})

test.each(CAUSES)(
  'WebSSO comes back with a request id alone where Keystone %s',
  async (_what, url, given) => {
    answer = given
    useKeystone(url())
    logged = ''
    const cookiesOf = (response: Response) =>
      response.headers
        .getSetCookie()
        .map((line) => line.split(';', 1)[0])
        .join('; ')
    const start = await send(
      webSsoRoute.GET,
      '/api/v1/session/websso?cloud=paris&provider=Company+login&next=%2Fgpus',
    )
    const posted = await send(webSsoRoute.POST, '/api/v1/session/websso', {
      method: 'POST',
      body: new URLSearchParams({ token: 'gAAAAABmade-up' }),
    })
    const finished = await send(finishRoute.GET, '/api/v1/session/websso/finish', {
      cookie: `${cookiesOf(start)}; ${cookiesOf(posted)}`,
    })
    const location = new URL(finished.headers.get('location') ?? '', 'http://console.test')
    expect([location.pathname, location.searchParams.get('problem')]).toEqual(['/login', 'failed'])
    const request = location.searchParams.get('request') ?? ''
    expect(logged).toContain(request)
    expect(loginNotice({ end: null, problem: 'failed', request })).toBe(
      `The sign-in failed. Try again in a few minutes. If the problem persists, report the request ID ${request} to an admin.`,
    )
    expect(loginNotice({ end: null, problem: 'failed', request: '<b>call 555-1234' })).not.toContain('555')
  },
)

test('the health check and a cookie reveal nothing about a database that is away', async () => {
  const away = () =>
    Promise.reject(Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' }))
  const database = { ...world.database(), query: away, transaction: away }
  setRuntime({ ...world.runtime(), log, database })
  for (const response of [
    await send(healthRoute.GET, '/api/health'),
    await signIn(),
    await send(scopesRoute.GET, '/api/v1/session/scopes', { cookie: `sliceboard-session=${'A'.repeat(43)}` }),
  ]) {
    const { error } = await response.json()
    expect([response.status, error.code]).toEqual([503, 'unavailable'])
    expect(error.message).toMatch(SENTENCE)
  }
})

test('admins and readers see which service failed, tenants do not', () => {
  const error = new ServiceError('upstream', 'Placement of cloud "paris" (GET http://10.0.0.5) failed.')
  const messageFor = (roles: ('admin' | 'reader' | 'tenant')[]) =>
    answerError(error, 'request-1', log, audienceOf({ kind: 'user', name: 'anna', roles })).body.error
  expect(messageFor(['reader'])).toMatchObject({ code: 'upstream', message: error.message })
  expect(messageFor(['tenant'])).toMatchObject({ code: 'upstream', message: expect.stringMatching(SENTENCE) })
  expect(messageFor([])).toMatchObject({ code: 'unavailable', message: expect.stringMatching(SENTENCE) })
})
