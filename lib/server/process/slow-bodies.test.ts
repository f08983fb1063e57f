import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ServiceError } from '@/lib/server/errors/service-error'
import { createHttpServer, HTTP_LIMITS, type HttpServer } from './http-server'
import { listen } from './listen'
import { type SlowSender, sendSlowly } from './testing/slow-sender'

/** As the console's, but short. A test that waits for a connection to be cut waits in vain where nothing cuts it. */
const SHORT = {
  ...HTTP_LIMITS,
  headersTimeout: 400,
  requestTimeout: 800,
  keepAliveTimeout: 300,
  connectionsCheckingInterval: 50,
}
const MANY = 300
vi.setConfig({ testTimeout: 60_000 })

let http: HttpServer
let port: number
let senders: SlowSender[]

beforeEach(async () => {
  senders = []
  http = createHttpServer({ isDevelopment: false, log: pino({ level: 'silent' }), limits: SHORT })
  port = await listen({ server: http.server, host: '127.0.0.1', port: 0 })
  http.serve(async (req, res) => {
    if (req.url === '/refused') throw new ServiceError('unauthorized', 'You are not signed in.')
    // As Next does: it answers and leaves what has not come to the server.
    if (req.url === '/unread') res.writeHead(401).end('no')
    else res.end(`read ${(await text(req)).length}`)
  })
})
afterEach(async () => {
  for (const { stop } of senders) stop()
  http.server.closeAllConnections()
  await new Promise((resolve) => http.server.close(resolve))
})

const slowly = (head: string, drips = true): SlowSender => {
  const sender = sendSlowly(port, head, { drips })
  senders.push(sender)
  return sender
}
const many = (head: string): SlowSender[] => Array.from({ length: MANY }, () => slowly(head))
const closedOf = (all: readonly SlowSender[]) => Promise.all(all.map(({ closed }) => closed))
const honest = async () =>
  (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'honest' })).text()

const POST = (path: string) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n`

describe.each([
  ['headers that drip', 'GET / HTTP/1.1\r\nHost: localhost\r\nx-slow: '],
  ['a request line that drips', 'GET /'],
  ['bodies that drip', POST('/')],
  [
    'bodies in chunks that drip',
    'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n',
  ],
])('%s, by 300 at once', (_what, head) => {
  test('are cut with 408, and honest requests are answered in the meantime', async () => {
    const all = many(head)
    expect(await honest()).toBe('read 6')
    const answers = await closedOf(all)
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 .*\r\nConnection: close/)
    expect(await honest()).toBe('read 6')
  })
})

describe.each([
  ['an answer that was given without reading', '/unread'],
  ['a refusal', '/refused'],
])('bodies that drip on behind %s, by 300 at once', (_what, path) => {
  test('are cut', async () => {
    const all = many(POST(path))
    const firsts = await Promise.all(all.map(({ answered }) => answered))
    for (const first of firsts) expect(first).toMatch(/^HTTP\/1\.1 401 /)
    expect(await honest()).toBe('read 6')
    await closedOf(all)
  })
})

test('a refusal closes the connection whose body has not come', async () => {
  const { answered } = slowly(POST('/refused'))
  expect(await answered).toMatch(/\r\nconnection: close\r\n/i)
})

test('an idle connection is closed', async () => {
  const { closed } = slowly('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', false)
  expect(await closed).toMatch(/^HTTP\/1\.1 200 /)
})
