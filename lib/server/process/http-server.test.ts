import type { Server } from 'node:http'
import { request } from 'node:http'
import { connect } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHttpServer, HTTP_LIMITS, type HttpServer } from './http-server'
import { listen } from './listen'
import { closeHttpServer } from './run-server'

let http: HttpServer
let port: number
let logged: string[]

beforeEach(async () => {
  logged = []
  const log = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) })
  http = createHttpServer({ isDevelopment: false, log })
  port = await listen({ server: http.server, host: '127.0.0.1', port: 0 })
})
afterEach(() => closeHttpServer(http))

type Answer = { status: number; headers: Record<string, unknown>; body: string }

const send = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, path, method, headers }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
    req.on('error', reject).end()
  })

const echoHeaders = () =>
  http.serve(async (req, res) => {
    res.end(JSON.stringify(req.headers))
  })

test('until it serves, it answers 503 with Retry-After', async () => {
  const answer = await send('/')
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
  expect(JSON.parse(answer.body).error).toMatchObject({
    code: 'unavailable',
    requestId: answer.headers['x-request-id'],
  })
})

test('until the console is ready, pages reload automatically', async () => {
  const { status, headers, body } = await send('/gpus', { accept: 'text/html,application/xhtml+xml' })
  expect([status, headers['retry-after'], headers.refresh, headers['cache-control']]).toEqual([
    503,
    '1',
    '1',
    'no-store',
  ])
  expect(headers['content-type']).toContain('text/html')
  expect(body).toContain('Sliceboard is starting')
  const posted = await send('/gpus', { accept: 'text/html' }, 'POST')
  expect(JSON.parse(posted.body).error.code).toBe('unavailable')
})

test.each(['localhost', 'localhost:8080', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST'])(
  'the Host %s is served',
  async (host) => {
    echoHeaders()
    expect((await send('/', { host })).status).toBe(200)
  },
)

test.each([
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.nip.io:3000',
  'localhost:3000@evil.example',
  '0.0.0.0',
  '10.0.0.1',
])('the Host "%s" is refused before anything reads the request', async (host) => {
  echoHeaders()
  const answer = await send('/', { host })
  expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([403, 'forbidden'])
})

test('a page gets a fresh nonce that its own request carries', async () => {
  echoHeaders()
  const [first, second] = [await send('/gpus'), await send('/gpus')]
  const seen = JSON.parse(first.body)
  expect(first.headers['content-security-policy']).toBe(seen['content-security-policy'])
  expect(first.headers['content-security-policy']).toContain(`script-src 'self' 'nonce-${seen['x-nonce']}'`)
  expect(first.headers['content-security-policy']).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/)
  expect(JSON.parse(second.body)['x-nonce']).not.toBe(seen['x-nonce'])
})

test('a file of the build may load others of the build, so that a worker can, and nothing else may', async () => {
  echoHeaders()
  const policyOf = async (path: string) => (await send(path)).headers['content-security-policy']
  expect(await policyOf('/_next/static/chunks/worker.js')).toMatch(
    /^default-src 'none'; .*script-src 'self'$/,
  )
  expect(await policyOf('/api/v1/gpus')).not.toContain('script-src')
})

test('a nonce, a policy or a request id of the sender is not believed', async () => {
  echoHeaders()
  const answer = await send('/api/v1/gpus', {
    'x-nonce': 'mine',
    'content-security-policy': "script-src 'nonce-mine'",
    'x-request-id': 'short\tid',
  })
  const seen = JSON.parse(answer.body)
  expect([seen['x-nonce'], seen['content-security-policy']]).toEqual([undefined, undefined])
  expect(seen['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
})

test('every answer carries the security headers, an error too', async () => {
  http.serve(async () => {
    throw new Error('password=hunter2')
  })
  const answer = await send('/')
  expect(answer.status).toBe(500)
  expect(answer.body).not.toContain('hunter2')
  expect(answer.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  })
  const entry = logged.map((line) => JSON.parse(line)).find(({ err }) => err !== undefined)
  expect(entry).toMatchObject({
    requestId: answer.headers['x-request-id'],
    err: { message: 'password=hunter2' },
  })
})

test.each([
  ['https://console.example', 'max-age=63072000; includeSubDomains'],
  ['http://console.example', undefined],
  [null, undefined],
])('under %s browsers are reported %s of TLS', async (url, header) => {
  const other = createHttpServer({ isDevelopment: false, log: pino({ level: 'silent' }), url })
  const otherPort = await listen({ server: other.server, host: '127.0.0.1', port: 0 })
  const answer = await fetch(`http://127.0.0.1:${otherPort}/api/v1/gpus`)
  expect(answer.headers.get('strict-transport-security') ?? undefined).toBe(header)
  await closeHttpServer(other)
})

test.each([
  ['/gpus', 'no-store'],
  ['/api/v1/anything', 'no-store'],
  ['/_next/static/chunks/a.js', undefined],
])('%s is kept by no one on the way: %s', async (path, header) => {
  echoHeaders()
  expect((await send(path)).headers['cache-control']).toBe(header)
})

test('a method outside the list is refused', async () => {
  echoHeaders()
  expect((await send('/', {}, 'TRACE')).status).toBe(400)
})

test('a web socket is not opened', async () => {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' }
  await expect(send('/_next/hmr', upgrade)).rejects.toThrow('socket hang up')
})

test('headers, bodies and idle connections have time limits, which are checked often', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = http.server as Server
  expect([headersTimeout, requestTimeout, keepAliveTimeout]).toEqual([10_000, 30_000, 65_000])
  // Node checks every 30 s by default, and does not expose the interval.
  expect(HTTP_LIMITS.connectionsCheckingInterval).toBe(2000)
})

test('in development a web socket is opened for a Host of ours only', async () => {
  const other = createHttpServer({ isDevelopment: true, log: pino({ level: 'silent' }) })
  other.server.on('upgrade', (_req, socket) => socket.end('HTTP/1.1 418 Opened\r\n\r\n'))
  const otherPort = await listen({ server: other.server, host: '127.0.0.1', port: 0 })
  const open = (host: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(otherPort, '127.0.0.1', () =>
        socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`),
      )
      let text = ''
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', () => undefined).on('close', () => resolve(text))
    })
  expect(await open('localhost')).toContain('418')
  expect(await open('evil.example')).toBe('')
  await closeHttpServer(other)
})

test('headers over 16 kB are refused', async () => {
  echoHeaders()
  expect((await send('/', { 'x-long': 'x'.repeat(20_000) })).status).toBe(431)
})

test('what is sent after closing began finds no listener, a begun answer closes its connection', async () => {
  let finish: () => void = () => undefined
  http.serve(
    (_req, res) =>
      new Promise((resolve) => {
        finish = () => resolve(res.end('late'))
      }),
  )
  const begun = send('/')
  await new Promise((resolve) => setTimeout(resolve, 50))
  const closed = closeHttpServer(http)
  await expect(
    new Promise((resolve, reject) => connect(port, '127.0.0.1', () => resolve(1)).on('error', reject)),
  ).rejects.toThrow('ECONNREFUSED')
  finish()
  expect((await begun).body).toBe('late')
  await closed
})

test('a request that comes after closing began, over a connection that is busy, is answered as the last one', async () => {
  const finishes: (() => void)[] = []
  http.serve(async (_req, res) => {
    await new Promise<void>((resolve) => finishes.push(resolve))
    res.end('ok')
  })
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const ended = new Promise((resolve) => socket.on('close', resolve))
  const ask = () => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  ask()
  await vi.waitFor(() => expect(finishes).toHaveLength(1))
  const closed = closeHttpServer(http)
  ask()
  await vi.waitFor(() => expect(finishes).toHaveLength(2))
  for (const finish of finishes) finish()
  await ended
  expect(text.match(/^connection: .*$/gim)).toEqual([
    expect.stringMatching(/keep-alive/i),
    'connection: close',
  ])
  await closed
})
