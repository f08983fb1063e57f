import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GET } from '@/app/api/v1/capacity/route'
import { setRuntime } from '@/lib/server/context/runtime'
import { CLOUD, createSignInWorld } from '@/lib/services/session/testing/sign-in-world'
import { createFrontRoutes } from './front-routes'

const PATH = '/api/v1/capacity'
const LONG = 'x'.repeat(5000)
const world = createSignInWorld()
let port = 0

const handle = createFrontRoutes({
  [PATH]: GET,
  '/same': async () => new Response(null, { status: 304, headers: { etag: 'W/"a"' } }),
  '/long': async () => Response.json(LONG, { status: 203, headers: { 'x-own': 'yes' } }),
})()
const server = createServer(async (req, res) => {
  if (!(await handle(req, res))) res.writeHead(418).end()
})

beforeAll(async () => {
  setRuntime(world.runtime())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** node:http, because fetch unpacks gzip automatically. */
const ask = (path: string, { method = 'GET', headers = {} } = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, path, method, headers }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }),
      )
    })
    req.on('error', reject).end()
  })

test('a long answer is zipped for who takes it, and keeps its status and headers', async () => {
  const zipped = await ask('/long', { headers: { 'accept-encoding': 'br, gzip' } })
  expect([zipped.status, JSON.parse(gunzipSync(zipped.body).toString())]).toEqual([203, LONG])
  expect(zipped.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-length': String(zipped.body.length),
    'content-type': 'application/json',
    'x-own': 'yes',
    vary: 'accept-encoding',
  })
  const plain = await ask('/long', { headers: { 'accept-encoding': 'gzip;q=0' } })
  expect([plain.headers['content-encoding'], JSON.parse(plain.body.toString())]).toEqual([undefined, LONG])
})

test('unchanged content is a 304 without a length', async () => {
  const { status, headers, body } = await ask('/same', { headers: { 'accept-encoding': 'gzip' } })
  expect([status, body.length, headers['content-length'], headers.etag]).toEqual([304, 0, undefined, 'W/"a"'])
})

test('HEAD has the length and no body', async () => {
  const { body, headers } = await ask('/long', { method: 'HEAD' })
  expect([body.length, headers['content-length']]).toEqual([0, String(LONG.length + 2)])
})

const QUESTION = `?cloud=${CLOUD}&until=2026-11-20T00:00:00Z`

test.each([
  ['the local admin', 200],
  ['a tenant', 403],
  ['nobody', 401],
])('%s gets in front of Next what the route of Next answers', async (caller, status) => {
  const signIn = caller === 'the local admin' ? null : world.runtime().signIn
  setRuntime({ ...world.runtime(), signIn })
  const cookie = caller === 'a tenant' ? `sliceboard-session=${(await world.signIn('tenant')).id}` : 'none=1'
  const headers = { cookie, 'x-request-id': 'request-0001' }
  for (const search of [QUESTION, '?cloud=nowhere', '?by=pgpu', '?from=%zz', '']) {
    const inFront = await ask(`${PATH}${search}`, { headers })
    const requested = new Request(`http://next${PATH}${search}`, { headers })
    const response = await GET(requested, { params: Promise.resolve({}) })
    expect([inFront.status, inFront.body.toString()]).toEqual([response.status, await response.text()])
    expect(inFront.headers).toMatchObject(Object.fromEntries(response.headers))
    if (search === QUESTION) expect(inFront.status).toBe(status)
  }
})

test.each([
  ['/api/v1/capacity/export', 'GET'],
  ['/api/v1/capacity/', 'GET'],
  ['/api/v1//capacity', 'GET'],
  [PATH, 'POST'],
])('%s %s is left to Next', async (path, method) => {
  expect((await ask(path, { method })).status).toBe(418)
})
