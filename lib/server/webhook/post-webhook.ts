import 'server-only'
import { createHmac } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import type { SecureContext } from 'node:tls'
import { Agent, request } from 'undici'
import { parseRetryAfterSeconds } from '@/lib/openstack/transport/parse-retry-after'
import { readSystemCertificates, secureContextOf } from '@/lib/openstack/transport/system-certificates'
import { readCertificateFile } from '@/lib/server/settings/env'
import { findTarget, type NamedHost, type Resolve, type ResolvedAddress } from './allowed-address'

/** What a receiver's certificate is checked against: Node.js's certificate authorities and the system's. */
const systemTrust = (): SecureContext =>
  secureContextOf({
    caPem: readSystemCertificates({ file: readCertificateFile() }),
    clientCertificate: null,
  })

/** `t=<Unix time in s>,v1=<HMAC-SHA256 of "t.body" in hex>`: the time is in it, so that an old call can't be sent again. */
export const webhookSignature = (secret: string, { at, body }: { at: Date; body: string }): string => {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

const TIMEOUT_MS = 10_000

/** How a try ended. `failure` null: it was taken (2xx). `status` null: nothing was answered. */
export type Posted = {
  status: number | null
  failure: string | null
  retryAfterSeconds: number | null
  tookMs: number
}

/** Node requests all addresses or one, depending on whether it tries both families. */
const pinnedTo =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }

const failureOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'it could not be reached'
  if (error.name === 'TimeoutError') return `it did not answer within ${TIMEOUT_MS / 1000} s`
  const cause = error.cause instanceof Error ? error.cause : error
  // The error of the first of several tried addresses.
  const first = cause instanceof AggregateError ? cause.errors[0] : cause
  return first instanceof Error && first.message !== '' ? first.message : 'it could not be reached'
}

const judge = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `it answers with a redirect (${status}), which is not followed`
  return `it answers ${status}`
}

const UNSENT = { status: null, retryAfterSeconds: null }

type Signed = {
  at: Date
  secret: string
  body: string
  headers: Record<string, string>
  lookup: LookupFunction
}

/** Posts a signed body over a separate connection. A redirect is not followed, and the response body is not read. */
const postSigned = async (url: URL, { at, secret, body, headers, lookup }: Signed): Promise<Posted> => {
  const startedAt = performance.now()
  const tookMs = () => Math.round(performance.now() - startedAt)
  const agent = new Agent({
    connect: { lookup, timeout: TIMEOUT_MS, secureContext: systemTrust() },
  })
  try {
    const answer = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'sliceboard',
        ...headers,
        'sliceboard-signature': webhookSignature(secret, { at, body }),
      },
      body,
    })
    // Destroying an unread body emits an error.
    answer.body.on('error', () => undefined).destroy()
    const header = answer.headers['retry-after']
    return {
      status: answer.statusCode,
      failure: judge(answer.statusCode),
      retryAfterSeconds: parseRetryAfterSeconds(Array.isArray(header) ? header[0] : header, at.getTime()),
      tookMs: tookMs(),
    }
  } catch (error) {
    return { ...UNSENT, failure: failureOf(error), tookMs: tookMs() }
  } finally {
    await agent.destroy()
  }
}

/**
 * Posts to an allowed address, and connects only to what its name was resolved to. `id` and `event` name what is sent.
 */
export const postWebhook = async (
  { address, secret, id, event, body }: Record<'address' | 'secret' | 'id' | 'event' | 'body', string>,
  { at, named, resolve }: { at: Date; named: readonly NamedHost[]; resolve: Resolve },
): Promise<Posted> => {
  const startedAt = performance.now()
  const target = await findTarget(address, { named, resolve })
  const resolveMs = Math.round(performance.now() - startedAt)
  if ('because' in target) return { ...UNSENT, failure: target.because, tookMs: resolveMs }
  const posted = await postSigned(target.url, {
    at,
    secret,
    body,
    headers: { 'sliceboard-event': event, 'sliceboard-id': id },
    lookup: pinnedTo(target.addresses),
  })
  return { ...posted, tookMs: resolveMs + posted.tookMs }
}
