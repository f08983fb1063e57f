import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import type { ClientCertificate } from '../clouds/cloud-config'
import { OpenStackError } from '../openstack-error'
import { cleanText, describeTarget, type FailureContext, toConnectionError } from './describe-failure'
import { parseRetryAfterSeconds } from './parse-retry-after'
import { readErrorBody } from './read-error-body'
import { createRequestMeter } from './request-meter'
import { sendOnce } from './send-once'
import { secureContextOf } from './system-certificates'
import type { Transport, TransportAnswer, TransportRequest } from './types'

const REDIRECTS = [301, 302, 303, 307, 308]

/** Throws for what is no answer to the request: redirects and errors that the caller did not ask to see. */
const checkAnswer = (answer: TransportAnswer, context: FailureContext): void => {
  const { request, cloud } = context
  if (request.acceptStatuses?.includes(answer.status)) return
  if (REDIRECTS.includes(answer.status)) throw toRedirectError(answer, context)
  if (answer.status < 400) return
  const body = readErrorBody(answer.json)
  const detail = body.detail === null ? null : cleanText(body.detail, request)
  const requestId = answer.requestId ?? body.requestId
  const words = detail === null || detail === '' ? '.' : `: ${detail.replace(/\.?$/, '.')}`
  const trace = requestId === null ? '' : ` Request ${requestId}.`
  throw new OpenStackError(
    `${describeTarget(context)} answered with status ${answer.status}${words}${trace}`,
    {
      kind: answer.status === 401 ? 'auth' : 'http',
      service: request.service,
      cloud,
      status: answer.status,
      code: body.code,
      detail,
      requestId,
      retryAfterSeconds: parseRetryAfterSeconds(answer.headers['retry-after']),
    },
  )
}

const toRedirectError = (answer: TransportAnswer, context: FailureContext): OpenStackError => {
  const location = answer.headers.location
  const target =
    location !== undefined && URL.canParse(location, context.request.url)
      ? new URL(location, context.request.url).origin
      : 'an address that it does not name'
  return new OpenStackError(
    `${describeTarget(context)} redirects to ${target}, and redirects are not followed; put the final address into the catalog or clouds.yaml.`,
    {
      kind: 'refused-endpoint',
      service: context.request.service,
      cloud: context.cloud,
      status: answer.status,
      requestId: answer.requestId,
    },
  )
}

type RateGate = { pass: () => Promise<void> }

/**
 * Lets at most `perSecond` through in any second, in order of arrival. A plain bucket of tokens would let twice as many
 * through in the second after a rest. Below one a second, one in each 1/perSecond seconds.
 */
export const createRateGate = (perSecond: number): RateGate => {
  const maxDepartures = Math.max(1, Math.floor(perSecond))
  const windowMs = perSecond < 1 ? 1000 / perSecond : 1000
  const departures: number[] = []
  let queue: Promise<void> = Promise.resolve()

  const wait = async () => {
    const oldest = departures.length < maxDepartures ? null : (departures.shift() ?? null)
    // Timers may fire up to a millisecond early, so the clock is checked again.
    for (;;) {
      const leftMs = oldest === null ? 0 : oldest + windowMs - performance.now()
      if (leftMs <= 0) break
      await sleep(Math.ceil(leftMs))
    }
    departures.push(performance.now())
  }
  return {
    pass: () => {
      queue = queue.then(wait)
      return queue
    },
  }
}

export type TransportOptions = {
  cloud: string
  requestsPerSecond: number
  timeoutMs: number
  /** The certificate authorities that are trusted; null: those that Node.js brings along. */
  caPem: string | null
  verify: boolean
  /** Sent to services that require one; null: none is. */
  clientCertificate?: ClientCertificate | null
  /** Origins or addresses that may be asked from the start. */
  allowedOrigins: readonly string[]
  /** Longest answer that is read. */
  maxBodyBytes?: number
  /** 0 ≤ random() < 1, for the waits before another attempt. */
  random?: () => number
}

const MAX_BODY_BYTES = 64 * 1024 * 1024
/** Enough for a reading round; uWSGI's usual workers are not all ours to take. */
const CONNECTIONS = 8
const ATTEMPTS = 3
const FIRST_WAIT_MS = 250
/** A service that requires a longer wait is not retried; the caller comes again. */
const LONGEST_WAIT_MS = 10_000
const PASSING_STATUSES = [429, 502, 503, 504]

const createAgent = ({ timeoutMs, verify, caPem, clientCertificate = null }: TransportOptions) =>
  new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    // Below the 5 s after which Apache and most proxies close an idle connection under a request's feet.
    keepAliveTimeout: 4000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: {
      timeout: Math.min(timeoutMs, 10_000),
      rejectUnauthorized: verify,
      ...(caPem === null && clientCertificate === null
        ? {}
        : { secureContext: secureContextOf({ caPem, clientCertificate }) }),
    },
  })

const isPassing = (error: OpenStackError) =>
  error.kind === 'unreachable' ||
  error.kind === 'timeout' ||
  (error.status !== null && PASSING_STATUSES.includes(error.status))

/** Null: not to be tried again. Only GET is: whether a write had come through can't be seen from here. */
const waitBefore = (
  attempt: number,
  error: OpenStackError,
  request: TransportRequest,
  random: () => number,
) => {
  if (request.method !== 'GET' || attempt >= ATTEMPTS || !isPassing(error)) return null
  // A second full timeout would keep everything behind it waiting.
  if (error.kind === 'timeout' && attempt > 1) return null
  const ownMs = FIRST_WAIT_MS * 2 ** (attempt - 1)
  const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000
  if (retryAfterMs > LONGEST_WAIT_MS) return null
  return Math.max(retryAfterMs, ownMs / 2) + random() * ownMs
}

const checkOrigin = (origins: ReadonlySet<string>, context: FailureContext) => {
  const { request, cloud } = context
  if (URL.canParse(request.url) && origins.has(new URL(request.url).origin)) return
  const target = URL.canParse(request.url) ? describeTarget(context) : `An address of cloud "${cloud}"`
  throw new OpenStackError(
    `${target} is outside the catalog and the configuration, so no request was sent.`,
    {
      kind: 'refused-endpoint',
      service: request.service,
      cloud,
    },
  )
}

const toOrigins = (urls: readonly string[]) =>
  urls.flatMap((url) => {
    const parsed = URL.canParse(url) ? new URL(url) : null
    return parsed !== null && /^https?:$/.test(parsed.protocol) ? [parsed.origin] : []
  })

/**
 * The only transport to a cloud: a keep-alive pool, a limit of requests in any second, no redirects, only allowed
 * origins. GETs are retried after failures of the connection and 429, 502, 503, 504.
 */
export const createTransport = (options: TransportOptions): Transport => {
  const agent = createAgent(options)
  const gate = createRateGate(options.requestsPerSecond)
  const total = createRequestMeter()
  const origins = new Set(toOrigins(options.allowedOrigins))
  const random = options.random ?? Math.random

  const attemptOnce = async (context: FailureContext, globalRequestId: string): Promise<TransportAnswer> => {
    const { request } = context
    await gate.pass()
    const start = performance.now()
    try {
      const maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES
      const answer = await sendOnce({ agent, context, maxBodyBytes, globalRequestId })
      checkAnswer(answer, context)
      return answer
    } catch (error) {
      throw toConnectionError(error, context)
    } finally {
      const cost = { service: request.service, ms: performance.now() - start }
      total.record(cost)
      request.meter?.record(cost)
    }
  }

  const request = async (wanted: TransportRequest): Promise<TransportAnswer> => {
    const context = { cloud: options.cloud, request: wanted, timeoutMs: options.timeoutMs }
    checkOrigin(origins, context)
    const globalRequestId = `req-${randomUUID()}`
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptOnce(context, globalRequestId)
      } catch (error) {
        if (!(error instanceof OpenStackError)) throw error
        const waitMs = waitBefore(attempt, error, wanted, random)
        if (waitMs === null) throw error
        await sleep(waitMs)
      }
    }
  }

  return {
    request,
    allowOrigins: (urls) => {
      for (const origin of toOrigins(urls)) origins.add(origin)
    },
    costs: total.costs,
    close: () => agent.destroy(),
  }
}
