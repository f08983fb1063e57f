import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gpuColumnsSchema } from '@/lib/schemas/api/gpu-columns'
import { hostListSchema } from '@/lib/schemas/api/host'
import type { Database } from '@/lib/server/database/database'
import { answerPlainly } from '@/lib/server/http/answer-plainly'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { parseEnv } from '@/lib/server/settings/env'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import { addCloud, writeHost } from '@/lib/services/testing/fleet-rows'
import { createFleetApi } from './fleet-api'

let database: Database
let port = 0
const log = pino({ level: 'silent' })

const server = createServer(async (req, res) => {
  const handle = createFleetApi({
    env: parseEnv({}),
    database,
    log,
    now: () => new Date(),
    version: '0',
    root: process.cwd(),
    box: createSecretBox(['a secret of tests that seals nothing real']),
    signIn: null,
    accounts: [],
    onStop: () => undefined,
  })
  try {
    if (!(await handle(req, res))) res.writeHead(418).end()
  } catch (error) {
    answerPlainly({ req, res, error, requestId: 'r-1', log })
  }
})

beforeAll(async () => {
  database = await createTestDatabase()
  const cloudId = await addCloud(database, 'paris')
  await writeHost(database, {
    cloudId,
    name: 'cmp-1',
    pgpus: [{ address: '0000:18:00.0', capacity: 4, used: 3 }],
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await database.close()
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

const usedIn = (body: Buffer) => gpuColumnsSchema.parse(JSON.parse(body.toString())).columns.used

test('a client that takes gzip gets it, with the length of the bytes', async () => {
  const { headers, body } = await ask('/api/v1/gpus', { headers: { 'accept-encoding': 'br, gzip' } })
  expect(headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-length': String(body.length),
    'content-type': 'application/json',
    'cache-control': 'no-store',
    vary: 'accept-encoding',
  })
  expect(usedIn(gunzipSync(body))).toEqual([3])
})

test.each([{}, { 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip;q=0' }])(
  'a client with %o gets the plain JSON',
  async (headers) => {
    const answer = await ask('/api/v1/gpus?cloud=paris', { headers })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(usedIn(answer.body)).toEqual([3])
  },
)

test.each(['/api/v1/gpus', '/api/v1/hosts'])(
  'of %s what a client holds is a 304 without a body',
  async (path) => {
    const { headers } = await ask(path)
    const again = await ask(path, { headers: { 'if-none-match': headers.etag ?? '' } })
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag])
  },
)

test('a heartbeat is a new version of the hosts, and none of the pGPUs', async () => {
  const known = async (path: string) => ({ 'if-none-match': (await ask(path)).headers.etag ?? '' })
  const [gpus, hosts] = [await known('/api/v1/gpus'), await known('/api/v1/hosts')]
  await database.query("UPDATE host SET seen_at = now() WHERE name = 'cmp-1'")
  expect((await ask('/api/v1/gpus', { headers: gpus })).status).toBe(304)
  const { status, body } = await ask('/api/v1/hosts', { headers: { ...hosts, 'accept-encoding': 'gzip' } })
  expect(status).toBe(200)
  const list = hostListSchema.parse(JSON.parse(gunzipSync(body).toString()))
  expect(list).toMatchObject({ cloud: 'paris', hosts: [{ name: 'cmp-1', used: 3, isSilent: false }] })
})

test('HEAD returns the length and no body', async () => {
  const { status, headers, body } = await ask('/api/v1/gpus', { method: 'HEAD' })
  expect([status, body.length, Number(headers['content-length']) > 0]).toEqual([200, 0, true])
})

test('an unknown cloud is the error of every other route', async () => {
  const { status, body } = await ask('/api/v1/gpus?cloud=nowhere')
  expect(status).toBe(404)
  expect(JSON.parse(body.toString())).toMatchObject({ error: { code: 'not_found', field: 'cloud' } })
})

test.each([
  ['/api/v1/gpus/cmp-1/0000:18:00.0', 'GET'],
  ['/api/v1/gpusx', 'GET'],
  ['/api/v1/hosts/cmp-1', 'GET'],
  ['/api/v1/hosts', 'DELETE'],
  ['/gpus', 'GET'],
  ['/api/v1/gpus', 'POST'],
])('%s %s is left to Next', async (path, method) => {
  expect((await ask(path, { method })).status).toBe(418)
})
