import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '@/agent/http/testing/loopback-certificate'
import { createTransport, type TransportOptions } from './create-transport'
import { toConnectionError } from './describe-failure'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const request = (url: string) => ({ service: 'keystone', method: 'POST', url }) as const

/** field: keystone 09 */
const CASES: [code: string, advice: RegExp][] = [
  ['ERR_SSL_WRONG_VERSION_NUMBER', /does not use TLS at this port.*http:\/\//],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /certificate for another name/],
  ['CERT_HAS_EXPIRED', /has expired\. Renew it/],
  ['CERT_NOT_YET_VALID', /not valid yet\. Check the clocks/],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', /client certificate.*cert and key/],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /client certificate.*cert and key/],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', /client certificate/],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /TLS versions, ciphers or keys that are too old/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /authority that this machine does not trust.*cacert/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /cacert/],
  ['ERR_SSL_INTERNAL_ERROR', /Check its certificate and its TLS settings/],
]

describe('a failed TLS connection', () => {
  it.each(CASES)('%s has its own advice', (code, advice) => {
    const context = { cloud: 'prod', request: request('https://k:5000/v3'), timeoutMs: 1000 }
    const error = toConnectionError(Object.assign(new Error('x'), { code }), context)
    expect(error.kind).toBe('tls')
    expect(error.message).toMatch(advice)
    expect(error.message.includes('cacert')).toBe(String(advice).includes('cacert'))
  })

  it('finds the reason behind a closed socket', () => {
    const cause = Object.assign(new Error('alert'), { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' })
    const socket = Object.assign(new Error('other side closed', { cause }), { code: 'UND_ERR_SOCKET' })
    const context = { cloud: 'prod', request: request('https://k:5000/v3'), timeoutMs: 1000 }
    expect(toConnectionError(socket, context).message).toMatch(/client certificate/)
  })
})

const TLS = { cert: LOOPBACK_CERTIFICATE, key: LOOPBACK_KEY }

describe('a real server', () => {
  const answer: http.RequestListener = (_req, res) => res.end('{}')
  const open = async (server: http.Server, scheme: string, options: Partial<TransportOptions> = {}) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
    const base = { cloud: 'test', requestsPerSecond: 100, timeoutMs: 5000, verify: true }
    const transport = createTransport({ ...base, caPem: TLS.cert, allowedOrigins: [origin], ...options })
    cleanups.push(transport.close, () => new Promise((resolve) => server.close(resolve)))
    return transport.request(request(`${origin}/v3/auth/tokens`)).then(
      () => 'answered',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    )
  }
  const demanding = (maxVersion: 'TLSv1.2' | 'TLSv1.3') =>
    https.createServer(
      { ...TLS, ca: TLS.cert, requestCert: true, rejectUnauthorized: true, maxVersion },
      answer,
    )

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('wants a client certificate over %s', async (version) => {
    expect(await open(demanding(version), 'https')).toMatch(/client certificate.*cert and key/)
    const clientCertificate = { certPem: TLS.cert, keyPem: TLS.key }
    expect(await open(demanding(version), 'https', { clientCertificate })).toBe('answered')
  })

  it('uses plain HTTP at an https address, and TLS at an http address', async () => {
    expect(await open(http.createServer(answer), 'https')).toMatch(/does not use TLS at this port/)
    expect(await open(https.createServer(TLS, answer), 'http')).toMatch(/write its address with https/)
  })
})
