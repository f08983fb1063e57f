import { afterEach, describe, expect, it } from 'vitest'
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '@/agent/http/testing/loopback-certificate'
import { OpenStackError } from '../openstack-error'
import { createRateGate, createTransport, type TransportOptions } from './create-transport'
import { type Answerer, type Served, serve } from './testing/serve'
import type { Transport, TransportRequest } from './types'

const passAll = async (perSecond: number, count: number) => {
  const gate = createRateGate(perSecond)
  const order: number[] = []
  const times: number[] = []
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await gate.pass()
      times.push(performance.now())
      order.push(index)
    }),
  )
  return { order, times }
}

describe('createRateGate', () => {
  it('lets no more than the rate through in any second, in order of arrival', async () => {
    const { order, times } = await passAll(20, 45)
    expect(order).toEqual([...order].sort((a, b) => a - b))
    for (let index = 20; index < times.length; index += 1) {
      // The clock is read a moment after the gate opened.
      expect((times[index] ?? 0) - (times[index - 20] ?? 0)).toBeGreaterThan(990)
    }
  })

  it('lets the first ones through at once', async () => {
    const start = performance.now()
    await passAll(20, 20)
    expect(performance.now() - start).toBeLessThan(500)
  })

  it('spaces a rate below one a second', async () => {
    const { times } = await passAll(0.8, 2)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1240)
  })
})

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const open = async (answer: Answerer, options: Partial<TransportOptions> = {}, isTls = false) => {
  const served = await serve(answer, isTls ? { cert: LOOPBACK_CERTIFICATE, key: LOOPBACK_KEY } : undefined)
  const transport = createTransport({
    cloud: 'test',
    requestsPerSecond: 1000,
    timeoutMs: 2000,
    caPem: null,
    verify: true,
    allowedOrigins: [served.origin],
    random: () => 0,
    ...options,
  })
  cleanups.push(transport.close, served.stop)
  return { served, transport }
}

const get = (served: Served, rest: Partial<TransportRequest> = {}): TransportRequest => ({
  service: 'placement',
  method: 'GET',
  url: `${served.origin}/resource_providers?name=x`,
  ...rest,
})

const failureOf = async (transport: Transport, request: TransportRequest): Promise<OpenStackError> => {
  const error: unknown = await transport.request(request).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof OpenStackError)) throw new Error('expected an OpenStackError')
  return error
}

describe('createTransport', () => {
  it('sends JSON with a global request id and gives the answer with its own id', async () => {
    const { served, transport } = await open(() => ({
      headers: { 'x-openstack-request-id': 'req-1' },
      body: { ok: true },
    }))
    const answer = await transport.request(get(served, { method: 'PUT', body: { a: 1 } }))
    expect(answer).toMatchObject({ status: 200, json: { ok: true }, requestId: 'req-1' })
    expect(served.seen[0]).toMatchObject({ method: 'PUT', body: '{"a":1}' })
    expect(served.seen[0]?.headers).toMatchObject({
      'user-agent': 'sliceboard',
      'x-openstack-request-id': expect.stringMatching(/^req-[0-9a-f-]{36}$/),
    })
  })

  it('keeps its connections for requests one after the other', async () => {
    const { served, transport } = await open(() => ({ body: {} }))
    for (let index = 0; index < 20; index += 1) await transport.request(get(served))
    // A second one is opened if the first has not been returned to the pool yet.
    expect(new Set(served.seen.map((request) => request.port)).size).toBeLessThan(3)
    expect(transport.costs().placement.requests).toBe(20)
  })

  it('reports service, cloud, status, code, OpenStack’s words and the request id, and no token', async () => {
    const body = {
      errors: [
        {
          status: 409,
          title: 'Conflict',
          detail: 'generation conflict for secret-token',
          code: 'placement.concurrent_update',
          request_id: 'req-9',
        },
      ],
    }
    const { served, transport } = await open(() => ({ status: 409, body }))
    const error = await failureOf(
      transport,
      get(served, { method: 'PUT', headers: { 'X-Auth-Token': 'secret-token' } }),
    )
    expect(error).toMatchObject({
      kind: 'http',
      service: 'placement',
      cloud: 'test',
      status: 409,
      code: 'placement.concurrent_update',
      detail: 'generation conflict for ***',
      requestId: 'req-9',
    })
    expect(error.message).toContain('status 409: generation conflict for ***. Request req-9.')
    expect(error.message).not.toContain('secret-token')
  })

  it.each([
    ['Keystone', { error: { code: 401, message: 'No.', title: 'Unauthorized' } }, 401, 'auth', 'No.'],
    [
      'Nova',
      { forbidden: { code: 403, message: 'Policy does not allow it' } },
      403,
      'http',
      'Policy does not allow it',
    ],
    ['a proxy', '<html>Bad Gateway</html>', 500, 'http', null],
  ])('reads the error form of %s', async (_name, body, status, kind, detail) => {
    const { served, transport } = await open(() => ({ status, body }))
    expect(await failureOf(transport, get(served))).toMatchObject({ status, kind, detail })
  })

  it('follows no redirect and names the host that it was sent to', async () => {
    const { served, transport } = await open(() => ({
      status: 302,
      headers: { location: 'http://169.254.169.254/latest' },
    }))
    const error = await failureOf(transport, get(served))
    expect(error.kind).toBe('refused-endpoint')
    expect(error.message).toContain('redirects to http://169.254.169.254')
    expect(served.seen).toHaveLength(1)
  })

  it('sends no request to an origin that is not allowed', async () => {
    const { served, transport } = await open(() => ({ body: {} }), { allowedOrigins: [] })
    expect((await failureOf(transport, get(served))).kind).toBe('refused-endpoint')
    expect(served.seen).toHaveLength(0)
    transport.allowOrigins([`${served.origin}/placement`])
    await transport.request(get(served))
    expect(served.seen).toHaveLength(1)
  })

  it.each([502, 503, 504, 429])('tries a GET again after %i', async (status) => {
    const { served, transport } = await open((_request, count) =>
      count < 3 ? { status, headers: { 'retry-after': '0' } } : { body: { count } },
    )
    expect((await transport.request(get(served))).json).toEqual({ count: 3 })
    expect(transport.costs().placement.requests).toBe(3)
  })

  it('gives up after three attempts', async () => {
    const { served, transport } = await open(() => ({ status: 503 }))
    expect(await failureOf(transport, get(served))).toMatchObject({ status: 503, kind: 'http' })
    expect(served.seen).toHaveLength(3)
  })

  it('tries a GET again after a dropped connection, a write never', async () => {
    const { served, transport } = await open((_request, count) => (count % 2 === 1 ? 'drop' : { body: {} }))
    await transport.request(get(served))
    expect(served.seen).toHaveLength(2)
    const error = await failureOf(transport, get(served, { method: 'PUT', body: {} }))
    expect(error.kind).toBe('unreachable')
    expect(served.seen).toHaveLength(3)
  })

  it('does not try a write again after 503, nor a GET after 500', async () => {
    const { served, transport } = await open((request) => ({ status: request.method === 'GET' ? 500 : 503 }))
    await failureOf(transport, get(served, { method: 'POST', body: {} }))
    await failureOf(transport, get(served))
    expect(served.seen).toHaveLength(2)
  })

  it('does not retry a service that requests a long wait', async () => {
    const { served, transport } = await open(() => ({ status: 503, headers: { 'retry-after': '600' } }))
    expect((await failureOf(transport, get(served))).retryAfterSeconds).toBe(600)
    expect(served.seen).toHaveLength(1)
  })

  it('gives up after the timeout', async () => {
    const { served, transport } = await open(() => 'hang', { timeoutMs: 100 })
    const error = await failureOf(transport, get(served, { method: 'POST', body: {} }))
    expect(error.kind).toBe('timeout')
    expect(error.message).toContain('gave no answer within 0.1 s')
  })

  it('reports that no process listens', async () => {
    const { served, transport } = await open(() => ({ body: {} }))
    await served.stop()
    expect(await failureOf(transport, get(served))).toMatchObject({ kind: 'unreachable', status: null })
  })

  it('refuses an answer that is too long or is not JSON', async () => {
    const { served, transport } = await open(
      (_request, count) => ({ body: count === 1 ? 'x'.repeat(2000) : 'hello' }),
      { maxBodyBytes: 1000 },
    )
    expect((await failureOf(transport, get(served))).kind).toBe('invalid-answer')
    expect((await failureOf(transport, get(served))).message).toContain('not JSON')
  })

  it('takes two seconds for 25 requests at 10 a second', async () => {
    const { served, transport } = await open(() => ({ body: {} }), { requestsPerSecond: 10 })
    const start = performance.now()
    await Promise.all(Array.from({ length: 25 }, () => transport.request(get(served))))
    expect(performance.now() - start).toBeGreaterThanOrEqual(2000)
  })

  it('trusts a certificate by its own authority only, or when configured not to verify', async () => {
    const plain = await open(() => ({ body: {} }), {}, true)
    expect((await failureOf(plain.transport, get(plain.served))).kind).toBe('tls')
    const trusting = await open(() => ({ body: {} }), { caPem: LOOPBACK_CERTIFICATE }, true)
    await trusting.transport.request(get(trusting.served))
    const careless = await open(() => ({ body: {} }), { verify: false }, true)
    await careless.transport.request(get(careless.served))
  })
})
