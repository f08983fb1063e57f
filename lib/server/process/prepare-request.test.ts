import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { prepareRequest } from './prepare-request'

const prepare = (
  url: string,
  headers: Record<string, string> = {},
  proxies = 0,
  build: string | null = null,
) => {
  const req = new IncomingMessage(new Socket())
  Object.assign(req, { url, headers: { host: 'console.example', ...headers } })
  const res = new ServerResponse(req)
  prepareRequest({ req, res, isDevelopment: false, proxies, url: null, build })
  return { seen: req.headers, answered: res.getHeaders() }
}

/** What services believe of a request because only the console can have set it. */
const OURS = {
  'x-nonce': 'mine',
  'content-security-policy': "script-src 'nonce-mine'",
  'content-security-policy-report-only': "script-src 'nonce-mine'",
  'x-page-path': '/hosts',
  'x-client-address': '10.9.9.9',
  'x-build-id': 'mine',
}

test.each(['/api/v1/gpus', '/agent/sliceboard-agent.mjs', '/install.sh', '/_next/static/a.js'])(
  'of what only the console may set on a request, %s sees nothing that its sender wrote',
  (url) => {
    const { seen } = prepare(url, OURS)
    expect(seen).toMatchObject({ host: 'console.example', 'x-client-address': 'unknown' })
    for (const name of Object.keys(OURS))
      if (name !== 'x-client-address') expect(seen).not.toHaveProperty(name)
  },
)

test('a page gets headers from the console, and none that the sender forged', () => {
  const { seen, answered } = prepare('/gpus?model=T4&_rsc=1x', OURS)
  expect(seen).toMatchObject({ 'x-page-path': '/gpus?model=T4', 'x-client-address': 'unknown' })
  expect(seen['content-security-policy']).toBe(answered['content-security-policy'])
  expect(JSON.stringify(seen)).not.toMatch(/mine|10\.9\.9\.9/)
})

test('the address of X-Forwarded-For is believed behind a proxy of ours only', () => {
  const forwarded = { 'x-forwarded-for': '192.0.2.7' }
  expect(prepare('/', forwarded).seen['x-client-address']).toBe('unknown')
  expect(prepare('/', forwarded, 1).seen['x-client-address']).toBe('192.0.2.7')
})

test('a nonce is new for each page and too long to be guessed', () => {
  const nonces = Array.from({ length: 50 }, () => String(prepare('/').seen['x-nonce']))
  expect(new Set(nonces).size).toBe(50)
  for (const nonce of nonces) expect(Buffer.from(nonce, 'base64').length).toBeGreaterThanOrEqual(16)
})

test('headers of the proxies and routers that Next has elsewhere reach nothing', () => {
  const foreign = {
    'x-middleware-prefetch': '1',
    'x-middleware-subrequest': 'middleware',
    'x-nextjs-data': '1',
    'x-matched-path': '/settings',
    'x-invoke-path': '/settings',
    'x-now-route-matches': '1=a',
  }
  const { seen } = prepare('/gpus', { ...foreign, rsc: '1', 'next-router-prefetch': '1' })
  expect(Object.keys(foreign).filter((name) => name in seen)).toEqual([])
  expect(seen).toMatchObject({ rsc: '1', 'next-router-prefetch': '1' })
})

test('a state of the router is passed on only when it can be read', () => {
  const good = encodeURIComponent(JSON.stringify(['', {}]))
  expect(prepare('/gpus', { 'next-router-state-tree': good }).seen['next-router-state-tree']).toBe(good)
  for (const bad of ['%', '%5B', 'x'])
    expect(prepare('/gpus', { 'next-router-state-tree': bad }).seen).not.toHaveProperty(
      'next-router-state-tree',
    )
})

test('the build is on answers of the API and on requests of pages, and agents do not get it', () => {
  const prepared = (url: string) => prepare(url, {}, 0, 'b1')
  expect(prepared('/api/v1/gpus?cloud=x').answered['x-build-id']).toBe('b1')
  expect(prepared('/api/agent/v1/report').answered).not.toHaveProperty('x-build-id')
  expect(prepared('/gpus').seen['x-build-id']).toBe('b1')
  expect(prepare('/gpus').seen).not.toHaveProperty('x-build-id')
})
