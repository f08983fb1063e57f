import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type ConsoleClient, createConsoleClient } from './console-client'
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from './testing/loopback-certificate'

const CREDENTIAL = `sbac_10234_supersecret${'s'.repeat(32)}`
const ACK = { isApplied: true, newest: { boot: 1, sequence: 2 }, intervalSeconds: 30 }
const beat = {
  credential: CREDENTIAL,
  position: { boot: 12, sequence: 345 },
  digest: 'd'.repeat(43),
  watched: { forMs: 86_400_000_000, agoMs: 29_350 },
}

let closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
})

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}
const clientFor = (url: string, options: { ca?: string; timeoutMs?: number } = {}): ConsoleClient => {
  const client = createConsoleClient({
    serverUrl: new URL(url),
    timeoutMs: options.timeoutMs ?? 5000,
    ca: options.ca,
    agentVersion: '1.2.3',
  })
  closing.push(client.close)
  return client
}
const withServer = async (handler: RequestListener, options: { timeoutMs?: number } = {}) => {
  const server = createServer(handler)
  return { server, client: clientFor(`http://127.0.0.1:${await listen(server)}`, options) }
}
const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (_req: IncomingMessage, res: ServerResponse) => {
    res.writeHead(status, headers).end(JSON.stringify(body))
  }

test('a heartbeat is headers only, in at most 300 bytes, over a kept connection', async () => {
  const seen: { bytes: number; port: number | undefined; headers: IncomingMessage['headers'] }[] = []
  let before = 0
  const { client } = await withServer((req, res) => {
    seen.push({ bytes: req.socket.bytesRead - before, port: req.socket.remotePort, headers: req.headers })
    before = req.socket.bytesRead
    req.on('data', () => expect.unreachable('a heartbeat has no body'))
    answer(200, ACK)(req, res)
  })
  expect(await client.heartbeat(beat)).toEqual({ kind: 'ok', answer: ACK })
  await client.heartbeat(beat)
  expect(seen[1]?.port).toBe(seen[0]?.port)
  expect(seen[1]?.headers['x-sliceboard-position']).toBe('12.345')
  expect(seen[1]?.headers['x-sliceboard-watched']).toBe('86400000000+29350')
  expect(seen[1]?.bytes).toBeGreaterThan(150)
  expect(seen[1]?.bytes).toBeLessThanOrEqual(300)
})

test('a report carries how long the host was watched before it, unless that is unknown', async () => {
  const received: unknown[] = []
  const { client } = await withServer((req, res) => {
    received.push(req.headers['x-sliceboard-watched'])
    answer(200, ACK)(req, res)
  })
  const report = { credential: CREDENTIAL, body: Buffer.from('x') }
  for (const watchedMs of [null, 0, 90_000]) await client.report({ ...report, watchedMs })
  expect(received).toEqual([undefined, '0', '90000'])
})

test.each([
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [409, 'conflict'],
  [400, 'refused'],
  [413, 'refused'],
  [422, 'refused'],
  [404, 'retry'],
  [429, 'retry'],
  [500, 'retry'],
  [503, 'retry'],
  [301, 'retry'],
])('status %d means %s and brings the sentence of the console', async (status, kind) => {
  const { client } = await withServer(
    answer(status, { error: { code: 'x', message: 'Field\na is bad.', requestId: 'r' } }),
  )
  const outcome = await client.report({
    credential: CREDENTIAL,
    body: Buffer.from('x'),
    watchedMs: null,
  })
  expect(outcome).toMatchObject({ kind, message: `Field a is bad (status ${status}).` })
})

test('a report of another host is refused permanently although the status is 403', async () => {
  const error = {
    code: 'credential_of_other_host',
    message: 'The credential is for host "b".',
    requestId: 'r',
  }
  const { client } = await withServer(answer(403, { error }))
  const outcome = await client.report({
    credential: CREDENTIAL,
    body: Buffer.from('x'),
    watchedMs: null,
  })
  expect(outcome).toEqual({ kind: 'refused', message: 'The credential is for host "b" (status 403).' })
})

test('Retry-After is passed on', async () => {
  const { client } = await withServer(answer(503, {}, { 'retry-after': '7' }))
  expect(await client.heartbeat(beat)).toMatchObject({ kind: 'retry', retryAfterMs: 7000 })
})

test('a redirect is not followed, so that the credential stays with the console', async () => {
  let calls = 0
  const { client } = await withServer((req, res) => {
    calls += 1
    answer(302, '', { location: 'http://elsewhere.example/' })(req, res)
  })
  expect(await client.heartbeat(beat)).toMatchObject({
    message: expect.stringContaining('elsewhere.example'),
  })
  expect(calls).toBe(1)
})

test.each([
  ['no JSON', '<html>welcome to the hotel</html>'],
  ['another shape', '{"ok":true}'],
])('a 200 with %s is not taken for an acknowledgement', async (_what, text) => {
  const { client } = await withServer((_req, res) => res.end(text))
  expect(await client.heartbeat(beat)).toMatchObject({ kind: 'retry' })
})

test('an answer without end is cut off', async () => {
  const { client } = await withServer((_req, res) => {
    res.on('error', () => undefined)
    const pour = () => {
      while (!res.destroyed && res.write('x'.repeat(65_536)));
    }
    res.on('drain', pour)
    pour()
  })
  expect(await client.heartbeat(beat)).toMatchObject({
    kind: 'retry',
    message: expect.stringContaining('not reached'),
  })
})

test('a server that hangs is given up after the timeout', async () => {
  const { client } = await withServer(() => undefined, { timeoutMs: 80 })
  expect(await client.heartbeat(beat)).toMatchObject({
    kind: 'retry',
    message: expect.stringContaining('no answer within'),
  })
})

test('a used connection that the server has closed is not taken for an outage', async () => {
  let calls = 0
  const { client } = await withServer((req, res) => {
    calls += 1
    if (calls === 2) req.socket.resetAndDestroy()
    else answer(200, ACK)(req, res)
  })
  expect((await client.heartbeat(beat)).kind).toBe('ok')
  expect((await client.heartbeat(beat)).kind).toBe('ok')
  expect(calls).toBe(3)
})

test('a new connection that is reset is an outage', async () => {
  let calls = 0
  const { client } = await withServer((req) => {
    calls += 1
    req.socket.resetAndDestroy()
  })
  expect(await client.heartbeat(beat)).toMatchObject({
    kind: 'retry',
    message: expect.stringContaining('cut'),
  })
  expect(calls).toBe(1)
})

test('an address where nothing listens is named in the error', async () => {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  const outcome = await clientFor(`http://127.0.0.1:${port}`).heartbeat(beat)
  expect(outcome).toMatchObject({
    kind: 'retry',
    message: expect.stringContaining('nothing listens at its address'),
  })
})

test('https with the given certificate authority', async () => {
  const server = createTlsServer({ key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE }, answer(200, ACK))
  const url = `https://127.0.0.1:${await listen(server)}`
  expect((await clientFor(url, { ca: LOOPBACK_CERTIFICATE }).heartbeat(beat)).kind).toBe('ok')
  expect(await clientFor(url).heartbeat(beat)).toMatchObject({
    kind: 'retry',
    message: expect.stringContaining('self-signed'),
  })
})

test('a console below a path', async () => {
  const paths: (string | undefined)[] = []
  const server = createServer((req, res) => {
    paths.push(req.url)
    answer(200, ACK)(req, res)
  })
  await clientFor(`http://127.0.0.1:${await listen(server)}/gpu/`).heartbeat(beat)
  expect(paths).toEqual(['/gpu/api/agent/v1/heartbeats'])
})

test('a secret that the answer repeats does not come out', async () => {
  const { client } = await withServer((req, res) =>
    answer(401, { error: { message: `bad header ${req.headers.authorization}` } })(req, res),
  )
  for (const outcome of [
    await client.heartbeat(beat),
    await client.enroll({ token: CREDENTIAL, hostName: 'a', requester: 'r'.repeat(43) }),
  ])
    expect(JSON.stringify(outcome)).not.toContain('supersecret')
})
