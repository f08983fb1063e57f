import { readFileSync } from 'node:fs'
import { test as base, expect } from '@playwright/test'
import { PAGE_POLICIES } from '@/lib/domain/access/route-policies'
import { AGENT_PATHS } from '@/lib/schemas/agent/report'
import { type Caller, ENROLLED_HOST, openCallers, signInByHand } from './world/access/callers'
import { type ApiRoute, apiRoutes, refusalOf, staticFiles } from './world/access/routes'
import { type CloudWorld, openCloudWorld } from './world/cloud'

type Access = { world: CloudWorld; callers: Caller[]; routes: ApiRoute[] }

const test = base.extend<object, { access: Access }>({
  /** Shared by the tests of a worker. What ends a session signs in for itself. */
  access: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const world = await openCloudWorld()
      const { url } = world
      const callers = await openCallers(url)
      const headers = callers.find(({ name }) => name === 'an admin')?.headers ?? {}
      // Until the cloud was read once, what needs its answers is refused with 503.
      const round = async () =>
        ((await (await ask(`${url}/api/v1/cloud-reading`, { headers })).json()) as { round: unknown }).round
      await expect.poll(round, { timeout: 60_000 }).not.toBeNull()
      await use({ world, callers, routes: await apiRoutes(url) })
      await world.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

/** `npm run test:security` draws each page for each caller, the suite for those that differ. */
const SENDS_ALL = process.env.SLICEBOARD_ACCESS === 'all'

/** Headers that have bypassed checks in other products: Next's own, and those of proxies. */
const FORGED: Record<string, string>[] = [
  {
    'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware',
    'x-forwarded-for': '127.0.0.1',
    'x-real-ip': '127.0.0.1',
    'x-client-address': '127.0.0.1',
    'x-forwarded-host': 'localhost',
    'x-forwarded-proto': 'https',
    'x-original-url': '/api/health',
    'x-rewrite-url': '/api/health',
    'x-http-method-override': 'GET',
    'x-page-path': '/login',
    'x-nonce': 'mine',
  },
  {
    'x-middleware-subrequest': 'src/middleware:src/middleware:src/middleware:src/middleware:src/middleware',
    'x-middleware-next': '1',
    'x-middleware-rewrite': '/login',
    'x-invoke-path': '/login',
    'x-invoke-status': '200',
    'x-matched-path': '/login',
    'x-now-route-matches': '1',
  },
  { rsc: '1' },
  { rsc: '1', 'next-router-prefetch': '1' },
  { 'next-action': '0'.repeat(42) },
]

const AT_ONCE = 8

/** Runs over all of them, some at once, and answers what each of them found wrong. */
const faultsOf = async <Item>(
  items: readonly Item[],
  find: (item: Item) => Promise<string | null>,
): Promise<string[]> => {
  const faults: string[] = []
  let at = 0
  const work = async () => {
    for (let item = items[at++]; item !== undefined; item = items[at++]) {
      const fault = await find(item)
      if (fault !== null) faults.push(fault)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return faults
}

const cross = <Left, Right>(left: readonly Left[], right: readonly Right[]): [Left, Right][] =>
  left.flatMap((one) => right.map((other): [Left, Right] => [one, other]))

type Sent = { method?: string; headers?: Record<string, string>; body?: unknown }

const ask = async (url: string, sent: Sent = {}): Promise<Response> => {
  const { method = 'GET', headers = {}, body } = sent
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // Next requires a hash of its headers in the address before it continues.
  const again = answer.headers.get('location')
  const isHash = again !== null && /[?&]_rsc(=|&|$)/.test(again) && !url.includes('_rsc')
  return isHash ? ask(new URL(again, url).href, sent) : answer
}

/** These act on the caller's session: each is called with a separate session, or with a body that is refused. */
const ofItself = ({ method, path }: ApiRoute): boolean =>
  method !== 'GET' && /^\/api\/v1\/session(s|\/scope)?$/.test(path)

const answerTo = async (url: string, route: ApiRoute, headers: Record<string, string>) => {
  const { method, address } = route
  const body = ofItself(route) && method === 'POST' ? {} : route.body
  const answer = await ask(`${url}${address}`, { method, headers, body })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

test('Each route answers each caller by its policy, and no caller’s answer is stored', async ({ access }) => {
  const { world, callers, routes } = access
  const cases = cross(routes, callers).filter(([route, { role }]) => !ofItself(route) || role === null)
  expect(cases.length).toBeGreaterThan(1000)
  const faults = await faultsOf(cases, async ([route, caller]) => {
    const refusal = refusalOf(route.may, caller)
    const { status, text, headers } = await answerTo(world.url, route, caller.headers)
    const isRight = refusal === null ? ![401, 403].includes(status) && status < 500 : status === refusal
    const isStored = headers.get('cache-control')?.includes('no-store') !== true
    if (isRight && !isStored) return null
    return `${caller.name}: ${route.method} ${route.address} (${route.may}) wants ${refusal ?? 'an answer'}, got ${status} ${headers.get('cache-control')} ${text.slice(0, 160)}`
  })
  expect(faults).toEqual([])
})

test('Headers that others trust open nothing here', async ({ access: { world, callers, routes } }) => {
  const outside = callers.filter(({ name }) => ['nobody', 'a tenant'].includes(name))
  const requests = cross(
    routes.filter((route) => !ofItself(route) && route.may !== 'anyone'),
    outside,
  ).filter(([{ may }, caller]) => refusalOf(may, caller) !== null)
  const faults = await faultsOf(cross(requests, FORGED), async ([[route, caller], forged]) => {
    const { status } = await answerTo(world.url, route, { ...caller.headers, ...forged })
    const refusal = refusalOf(route.may, caller)
    // How Next itself handles its headers may be another refusal.
    const isNexts = 'rsc' in forged || 'next-action' in forged
    if (status === refusal || (isNexts && status >= 400 && status < 500)) return null
    return `${caller.name}: ${route.method} ${route.address} with ${JSON.stringify(forged)}: ${status}, not ${refusal}`
  })
  expect(faults).toEqual([])
})

test('What ends or changes a session requires one', async ({ access: { world, callers } }) => {
  const { url } = world
  const send = (method: string, path: string, cookie: string, body?: unknown) =>
    ask(`${url}${path}`, { method, headers: { cookie }, ...(body === undefined ? {} : { body }) })
  const token = callers.find(({ name }) => name === "an admin's writing token")?.headers ?? {}
  for (const [method, path] of [
    ['DELETE', '/api/v1/session'],
    ['DELETE', '/api/v1/sessions?which=all'],
    ['POST', '/api/v1/session/scope'],
  ] as const) {
    const answer = await ask(`${url}${path}`, { method, headers: token, body: { kind: 'system' } })
    expect([401, 403], `${method} ${path}`).toContain(answer.status)
  }
  const tenant = await signInByHand(url, 'tenant', false)
  expect((await send('POST', '/api/v1/session/scope', tenant, { kind: 'system' })).status).toBe(403)
  expect((await send('DELETE', '/api/v1/session', tenant)).status).toBe(204)
  expect((await send('GET', '/api/v1/session', tenant)).status).toBe(401)
})

test('Agents’ routes accept a credential that holds, and nothing else', async ({ access }) => {
  const { world, callers } = access
  const paths = Object.values(AGENT_PATHS).filter((path) => path !== AGENT_PATHS.enroll)
  const faults = await faultsOf(cross(paths, callers), async ([path, { name, headers }]) => {
    const { status } = await ask(`${world.url}${path}`, { method: 'POST', headers, body: {} })
    const isRight = name === 'an agent' ? ![401, 403].includes(status) && status < 500 : status === 401
    return isRight ? null : `${name}: ${path}: ${status}`
  })
  expect(faults).toEqual([])
  for (const { name, headers } of callers) {
    const body = { contractVersion: 1, hostName: 'cmp-new', agentVersion: '0.0.0' }
    const { status } = await ask(`${world.url}${AGENT_PATHS.enroll}`, { method: 'POST', headers, body })
    expect([name, status]).toEqual([name, 401])
  }
})

/** What may be drawn on a page, for whom. */
const pageFault = async (url: string, path: string, caller: Caller, forged: Record<string, string>) => {
  const policy = PAGE_POLICIES[path]
  const address = path.replaceAll(/\{\w+\}/g, '1')
  const answer = await ask(`${url}${address}`, { headers: { ...caller.headers, ...forged } })
  const text = await answer.text()
  const label = `${caller.name}: ${path} with ${JSON.stringify(forged)}`
  const isStored = answer.headers.get('cache-control')?.includes('no-store') !== true
  if (isStored) return `${label} may be stored: ${answer.headers.get('cache-control')}`
  if (answer.status >= 500 && !('rsc' in forged)) return `${label}: ${answer.status}`
  const seesFleet = caller.role === 'admin' || caller.role === 'reader'
  const isIn = caller.role !== null && caller.role !== 'choosing' && caller.apiToken === undefined
  if (!(isIn && seesFleet) && text.includes(ENROLLED_HOST)) return `${label} contains a host`
  // For a part that is requested separately, and for a page that is requested in disguise, its content counts.
  if (policy === 'anyone' || isIn || Object.keys(forged).length > 0) return null
  // To the sign-in, as a redirect or within what React is sent.
  return answer.headers.get('location')?.startsWith('/login') || /\/login\?next=/.test(text)
    ? null
    : `${label}: ${answer.status} ${answer.headers.get('location')}`
}

/** Who sees them, the other browser tests draw: that takes its time. */
const SEES_ALL = ['a reader', 'an admin', 'a tenant of another project']

test('Each page is drawn for those whom its policy names', async ({ access: { world, callers } }) => {
  const paths = Object.keys(PAGE_POLICIES)
  const others = callers.filter(({ name }) => SENDS_ALL || !SEES_ALL.includes(name))
  const faults = await faultsOf(cross(paths, others), ([path, caller]) =>
    pageFault(world.url, path, caller, {}),
  )
  expect(faults).toEqual([])
  const agents = await ask(`${world.url}/settings/agents`, {
    headers: callers.find(({ name }) => name === 'a reader')?.headers ?? {},
  })
  expect(await agents.text()).toContain(ENROLLED_HOST)
})

/** What Next's client sends when it has the layouts already and requests the page below them alone. */
const belowLayout = (path: string): Record<string, string> => {
  const names = path.split('/').filter((name) => name !== '')
  const page = ['__PAGE__', {}, null, 'refetch']
  const tree = names.reduceRight<unknown>((below, name) => [name, { children: below }], page)
  return {
    rsc: '1',
    'next-router-state-tree': encodeURIComponent(
      JSON.stringify(['', { children: ['(console)', { children: tree }] }]),
    ),
  }
}

test('A page requested past its layout, or with headers that others trust, shows no more', async ({
  access,
}) => {
  const { world, callers } = access
  const outside = callers.filter(({ name }) => ['nobody', 'a tenant'].includes(name))
  const paths = Object.keys(PAGE_POLICIES).filter((path) => PAGE_POLICIES[path] === 'fleet')
  const faults = await faultsOf(cross(paths, outside), async ([path, caller]) => {
    for (const forged of [belowLayout(path), ...(caller.role === null ? FORGED.slice(0, 3) : [])]) {
      const fault = await pageFault(world.url, path, caller, forged)
      if (fault !== null) return fault
    }
    return null
  })
  expect(faults).toEqual([])
})

test('The build has no server action, no middleware and no prerendered page', async ({ access }) => {
  const read = (file: string): unknown => JSON.parse(readFileSync(`.next/${file}`, 'utf8'))
  expect(read('server/server-reference-manifest.json')).toMatchObject({ node: {}, edge: {} })
  expect(Object.keys((read('server/server-reference-manifest.json') as { node: object }).node)).toEqual([])
  expect(read('server/middleware-manifest.json')).toMatchObject({ middleware: {}, functions: {} })
  expect(Object.keys((read('server/middleware-manifest.json') as { middleware: object }).middleware)).toEqual(
    [],
  )
  const { routes } = read('prerender-manifest.json') as { routes: Record<string, unknown> }
  expect(Object.keys(routes).filter((path) => path in PAGE_POLICIES)).toEqual([])
  for (const path of ['/', '/login', '/gpus', '/settings/sessions']) {
    const headers = { 'next-action': '0'.repeat(42), origin: access.world.url, 'content-type': 'text/plain' }
    const answer = await ask(`${access.world.url}${path}`, { method: 'POST', headers })
    expect([path, answer.status >= 400 || answer.headers.get('location') !== null]).toEqual([path, true])
    expect(answer.headers.getSetCookie()).toEqual([])
  }
})

test('Every kind of answer carries the headers that bind a browser', async ({
  access: { world, callers },
}) => {
  const admin = callers.find(({ name }) => name === 'an admin')?.headers ?? {}
  const addresses = [
    '/',
    '/login',
    '/gpus',
    '/no-such-page',
    '/api/health',
    '/api/v1/gpus',
    '/api/v1/hosts',
    '/api/v1/no-such',
    '/api/agent/v1/none',
    '/install.sh',
    '/agent/sliceboard-agent.mjs',
    '/icon.svg',
    '/manifest.webmanifest',
    '/robots.txt',
    '/%E0%A4%A',
    ...staticFiles().slice(0, 3),
  ]
  for (const address of addresses) {
    for (const headers of [{}, admin]) {
      const answer = await ask(`${world.url}${address}`, { headers })
      const sent = Object.fromEntries(answer.headers)
      expect.soft(sent, address).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringMatching(/default-src .*frame-ancestors 'none'/),
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'same-origin',
      })
      expect.soft([address, sent['x-powered-by'], sent.server]).toEqual([address, undefined, undefined])
      expect.soft([address, sent['access-control-allow-origin']]).toEqual([address, undefined])
    }
  }
  const page = await ask(`${world.url}/login`)
  const nonce = /'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1] ?? ''
  const scripts = (await page.text()).match(/<script[^>]*>/g) ?? []
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.filter((script) => !script.includes(`nonce="${nonce}"`))).toEqual([])
})
