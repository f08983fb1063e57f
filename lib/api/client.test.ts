import { EventEmitter, once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { ApiError, requestJson, requestNewer, requestNothing } from './client'
import { newBuild } from './new-build'
import { createQueryClient } from './query-client'
import { createApiServer, sendJson } from './testing/api-server'

const server = createApiServer()
type Thing = { name: string }
const ask = (path = '/api/v1/thing') => requestJson<Thing>({ path })

const failureOf = async (work: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await work.catch((cause: unknown) => cause)
  if (!(error instanceof ApiError)) throw new Error('it did not fail with an ApiError', { cause: error })
  return error
}

test('an answer comes parsed', async () => {
  server.answerWith((_req, res) => sendJson(res, { name: 'paris', more: 1 }))
  expect(await ask()).toEqual({ name: 'paris', more: 1 })
})

test('a body goes out as JSON', async () => {
  server.answerWith((req, res) => {
    let body = ''
    req.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    req.on('end', () => sendJson(res, { name: `${req.method} ${req.headers['content-type']} ${body}` }))
  })
  expect(await requestJson({ path: '/x', method: 'POST', body: { a: 1 } })).toEqual({
    name: 'POST application/json {"a":1}',
  })
})

test('a second click while a change is under way sends nothing and gets the same answer', async () => {
  let count = 0
  const gate = new EventEmitter()
  const held = once(gate, 'open')
  server.answerWith((_req, res) => {
    count += 1
    void held.then(() => sendJson(res, { name: `answer ${count}` }))
  })
  const click = (body: unknown) => requestJson({ path: '/x', method: 'POST', body })
  const clicks = [click({ a: 1 }), click({ a: 1 })]
  const other = click({ a: 2 })
  gate.emit('open')
  expect(await Promise.all(clicks)).toEqual([{ name: expect.any(String) }, await clicks[0]])
  await other
  expect(count).toBe(2)
  await click({ a: 1 })
  expect(count).toBe(3)
})

test("the server's error keeps its code, sentence, field and request id", async () => {
  const error = { code: 'not_found', message: 'No such host.', requestId: 'r-1', field: 'host' }
  server.answerWith((_req, res) => sendJson(res, { error }, { status: 404 }))
  expect(await failureOf(ask())).toMatchObject({ status: 404, ...error, retryAfterSeconds: null })
})

test('Retry-After is in the error', async () => {
  const error = { code: 'unavailable', message: 'Busy.', requestId: 'r-1' }
  server.answerWith((_req, res) => sendJson(res, { error }, { status: 503, headers: { 'retry-after': '7' } }))
  expect(await failureOf(ask())).toMatchObject({ status: 503, retryAfterSeconds: 7 })
})

test.each([
  [null],
  [{ error: 'Bad gateway' }],
  [{ error: null }],
  [{ error: { code: 502, message: 'Bad gateway' } }],
])('an error of a proxy in another form is an error with its status: %j', async (body) => {
  server.answerWith((_req, res) => sendJson(res, body, { status: 502 }))
  expect(await failureOf(ask())).toMatchObject({ status: 502, code: 'internal', requestId: null })
})

test('an error page of a proxy is an error with its status', async () => {
  server.answerWith((_req, res) => res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'))
  expect(await failureOf(ask())).toMatchObject({ status: 502, code: 'internal', requestId: null })
})

test('an answer that is no JSON is not from the console', async () => {
  server.answerWith((_req, res) => res.writeHead(200, { 'x-request-id': 'r-9' }).end('<html>'))
  expect(await failureOf(ask())).toMatchObject({ status: 200, code: 'unreadable', requestId: 'r-9' })
})

test('no answer is unreachable', async () => {
  server.answerWith((req) => req.socket.destroy())
  expect(await failureOf(ask())).toMatchObject({ status: 0, code: 'unreachable' })
})

test.each([
  ['without an ETag', {}],
  ['with one', { etag: 'W/"1"' }],
])('an answer that ends early counts as none: %s', async (_how, headers) => {
  server.answerWith((_req, res) => {
    res.writeHead(200, { 'content-length': '50', ...headers })
    res.write('{"name":"par', () => res.destroy())
  })
  expect(await failureOf(ask())).toMatchObject({ status: 0, code: 'unreachable' })
  const newer = requestNewer({ path: '/x', known: undefined, etag: undefined })
  expect(await failureOf(newer)).toMatchObject({ status: 0, code: 'unreachable' })
})

test('a query whose answer ended early is sent again', async () => {
  let requests = 0
  server.answerWith((_req, res) => {
    requests += 1
    if (requests > 1) return sendJson(res, { name: 'paris' })
    res.writeHead(200, { 'content-length': '50' })
    res.write('{"name":"par', () => res.destroy())
  })
  const query = { queryKey: ['thing'], queryFn: () => ask(), retryDelay: 0 }
  expect(await createQueryClient().fetchQuery(query)).toEqual({ name: 'paris' })
})

test('an aborted query keeps its own error', async () => {
  server.answerWith(() => undefined)
  const controller = new AbortController()
  const answer = requestJson({ path: '/x', signal: controller.signal })
  controller.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
})

test('a removal answers with nothing, or with an error', async () => {
  server.answerWith((_req, res) => res.writeHead(204).end())
  await expect(requestNothing({ path: '/x', method: 'DELETE' })).resolves.toBeUndefined()
  const error = { code: 'forbidden', message: 'Ask an admin.', requestId: 'r-2' }
  server.answerWith((_req, res) => sendJson(res, { error }, { status: 403 }))
  expect(await failureOf(requestNothing({ path: '/x', method: 'DELETE' }))).toMatchObject({
    code: 'forbidden',
  })
})

test('an unchanged answer to a query with its ETag is the one that the page has', async () => {
  const requests: (string | undefined)[] = []
  let name = 'paris'
  server.answerWith((req, res) => {
    requests.push(req.headers['if-none-match'])
    const etag = `W/"${name}"`
    if (req.headers['if-none-match'] === etag) res.writeHead(304, { etag }).end()
    else sendJson(res, { name }, { headers: { etag } })
  })
  expect(await ask('/api/v1/held')).toEqual({ name: 'paris' })
  expect(await ask('/api/v1/held')).toEqual({ name: 'paris' })
  name = 'rome'
  expect(await ask('/api/v1/held')).toEqual({ name: 'rome' })
  expect(await ask('/api/v1/other')).toEqual({ name: 'rome' })
  expect(requests).toEqual([undefined, 'W/"paris"', 'W/"paris"', undefined])
})

test('data of another build is refused, and a write or a read shows that the page must be reloaded', async () => {
  Object.assign(globalThis, { document: { documentElement: { dataset: { build: 'b1' } } } })
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, 'document')
  })
  let build = 'b1'
  server.answerWith((_req, res) => sendJson(res, { name: 'paris' }, { headers: { 'x-build-id': build } }))
  expect(await ask()).toEqual({ name: 'paris' })
  expect(newBuild.current()).toBeNull()
  build = 'b2'
  const sent = requestJson<Thing>({ path: '/x', method: 'POST', body: {} })
  expect(await sent).toEqual({ name: 'paris' })
  expect(newBuild.current()).toMatch(/was updated/)
  expect(await failureOf(ask())).toMatchObject({ status: 200, code: 'outdated' })
  const newer = requestNewer({ path: '/x', known: undefined, etag: undefined })
  expect(await failureOf(newer)).toMatchObject({ code: 'outdated' })
})
