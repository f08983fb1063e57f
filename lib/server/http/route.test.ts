import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { setRuntime } from '@/lib/server/context/runtime'
import { HTTP_STATUS, SERVICE_ERROR_CODES, ServiceError } from '@/lib/server/errors/service-error'
import type { Database } from '../database/database'
import { createTestDatabase } from '../testing/test-database'
import { createTestRuntime } from '../testing/test-runtime'
import { MAX_BODY_BYTES } from './read-json-body'
import { route } from './route'

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
  setRuntime(createTestRuntime({ database }))
})
afterAll(() => database.close())

const ORIGIN = 'http://127.0.0.1:3000'
const noParams = { params: Promise.resolve({}) }

const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request(`${ORIGIN}/api/v1/things`, {
    method: 'POST',
    body,
    headers: { host: '127.0.0.1:3000', origin: ORIGIN, 'content-type': 'application/json', ...headers },
  })

const createThing = route(
  { body: z.strictObject({ name: z.string().max(5), size: z.int().min(1) }), status: 201 },
  async ({ body }) => ({ made: body.name }),
)

const failing = (error: unknown) =>
  route({}, async () => {
    throw error
  })

test('a result is JSON with the request id', async () => {
  const get = route({ query: z.object({ cloud: z.string().optional() }) }, async ({ query }) => query)
  const response = await get(
    new Request(`${ORIGIN}/api?cloud=a&other=b`, { headers: { 'x-request-id': 'request-0001' } }),
    noParams,
  )
  expect(response.status).toBe(200)
  expect(response.headers.get('x-request-id')).toBe('request-0001')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({ cloud: 'a' })
})

test('path parameters are parsed', async () => {
  const get = route(
    { params: z.object({ id: z.coerce.number().int() }) },
    async ({ params }) => params.id + 1,
  )
  const answer = (id: string) => get(new Request(ORIGIN), { params: Promise.resolve({ id }) })
  expect(await (await answer('41')).json()).toBe(42)
  expect((await answer('x')).status).toBe(400)
})

test('nothing is 204 and a Response goes out unchanged', async () => {
  expect((await route({}, async () => undefined)(new Request(ORIGIN), noParams)).status).toBe(204)
  const csv = await route({}, async () => new Response('a,b', { status: 203 }))(new Request(ORIGIN), noParams)
  expect([csv.status, await csv.text(), csv.headers.has('x-request-id')]).toEqual([203, 'a,b', true])
})

test('a good body arrives parsed', async () => {
  const response = await createThing(post('{"name":"a","size":1}'), noParams)
  expect([response.status, await response.json()]).toEqual([201, { made: 'a' }])
})

test.each([
  ['{"name":"abcdef","size":1}', 'name', 'name is "abcdef", but must have at most 5 characters.'],
  ['{"name":"a","size":0}', 'size', 'size is 0, but must be at least 1.'],
  ['{"name":"a"}', 'size', 'size is missing, but must be a number.'],
  ['{"name":"a","size":1,"x":1}', 'x', 'x is not a known field.'],
  ['[]', undefined, 'The input is [], but must be an object.'],
  ['{', undefined, 'The body is not JSON in UTF-8.'],
])('the body %s is refused with its reason', async (body, field, message) => {
  const response = await createThing(post(body), noParams)
  const { error } = await response.json()
  expect([response.status, error.code, error.field, error.message]).toEqual([
    400,
    'validation',
    field,
    message,
  ])
})

test('all invalid fields are listed, each with its sentence', async () => {
  const response = await createThing(post('{"name":"abcdef","size":0,"x":1}'), noParams)
  const { error } = await response.json()
  expect(error).toMatchObject({
    field: 'name',
    message: 'name is "abcdef", but must have at most 5 characters.',
  })
  expect(error.fields).toEqual([
    { field: 'name', message: 'name is "abcdef", but must have at most 5 characters.' },
    { field: 'size', message: 'size is 0, but must be at least 1.' },
    { field: 'x', message: 'x is not a known field.' },
  ])
})

test.each(['"a\\u0000"', '"\\ud800"', '"a\\udc00b"'])('a body with the text %s is refused', async (text) => {
  const response = await createThing(post(`{"name":${text},"size":1}`), noParams)
  const { error } = await response.json()
  expect([response.status, error.field]).toEqual([400, 'name'])
  expect(error.message).toContain('a NUL character or half of a surrogate pair')
})

test('a refused secret is not repeated', async () => {
  const handler = route({ body: z.object({ token: z.string().max(3) }) }, async () => 1)
  const { error } = await (await handler(post('{"token":"hunter2"}'), noParams)).json()
  expect(error.message).toBe('token is hidden, but must have at most 3 characters.')
})

test('a body of another type or size is refused', async () => {
  const form = await createThing(post('name=a', { 'content-type': 'text/plain' }), noParams)
  expect(form.status).toBe(400)
  const large = await createThing(post(`"${'x'.repeat(MAX_BODY_BYTES)}"`), noParams)
  expect(large.status).toBe(413)
})

test.each([
  [{ origin: 'http://evil.example' }],
  [{ origin: 'null' }],
  [{ origin: 'http://127.0.0.1:3001' }],
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'same-site' }],
])('a change with %j is refused', async (headers: Record<string, string>) => {
  const response = await createThing(post('{"name":"a","size":1}', headers), noParams)
  expect([response.status, (await response.json()).error.code]).toEqual([403, 'forbidden'])
})

test('reading needs no origin', async () => {
  const get = route({}, async () => 1)
  const response = await get(
    new Request(ORIGIN, { headers: { origin: 'http://evil.example', host: '127.0.0.1' } }),
    noParams,
  )
  expect(response.status).toBe(200)
})

test.each([...SERVICE_ERROR_CODES])('%s has its status and its message', async (code) => {
  const error = new ServiceError(code, 'Because.', { field: 'name', retryAfterSeconds: 1.2 })
  const response = await failing(error)(new Request(ORIGIN), noParams)
  expect(response.status).toBe(HTTP_STATUS[code])
  expect(response.headers.get('retry-after')).toBe('2')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect((await response.json()).error).toMatchObject({ code, message: 'Because.', field: 'name' })
})

test('a refusal is logged with the caller and the action', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  setRuntime({ ...createTestRuntime({ database }), log })
  await failing(new ServiceError('forbidden', 'To do it takes the role admin.'))(
    new Request(ORIGIN),
    noParams,
  )
  await failing(new ServiceError('not_found', 'It is not there.'))(new Request(ORIGIN), noParams)
  setRuntime(createTestRuntime({ database }))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      msg: 'Request refused',
      reason: 'To do it takes the role admin.',
      actor: 'local-admin',
      address: 'unknown',
    },
  ])
})

test('an unexpected error reveals no detail', async () => {
  const response = await failing(new Error('password=hunter2'))(new Request(ORIGIN), noParams)
  const text = await response.text()
  expect(response.status).toBe(500)
  expect(text).not.toContain('hunter2')
  expect(JSON.parse(text).error.requestId).toBe(response.headers.get('x-request-id'))
})

test('errors of Prisma and of SQL are mapped by code', async () => {
  const twice = route({}, async ({ ctx }) => {
    await ctx.database.prisma.cloud.create({ data: { name: 'same' } })
    await ctx.database.prisma.cloud.create({ data: { name: 'same' } })
  })
  const twiceRaw = route({}, ({ ctx }) => ctx.database.query(`INSERT INTO cloud (name) VALUES ('same')`))
  const gone = route({}, ({ ctx }) => ctx.database.prisma.cloud.delete({ where: { id: -1 } }))
  const codes: string[] = []
  for (const handler of [twice, twiceRaw, gone]) {
    const response = await handler(new Request(ORIGIN), noParams)
    codes.push((await response.json()).error.code)
  }
  expect(codes).toEqual(['conflict', 'conflict', 'not_found'])
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'a %s from another site is refused before its handler runs',
  async (method) => {
    const calls: string[] = []
    const handler = route({}, async ({ request }) => {
      calls.push(request.method)
    })
    const send = (origin: string) =>
      handler(
        new Request(`${ORIGIN}/api/v1/things/1`, { method, headers: { host: '127.0.0.1:3000', origin } }),
        noParams,
      )
    expect((await send('https://evil.example')).status).toBe(403)
    expect(calls).toEqual([])
    expect((await send(ORIGIN)).status).toBe(204)
    expect(calls).toEqual([method])
  },
)
