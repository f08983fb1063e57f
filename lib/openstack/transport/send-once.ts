import { createHash } from 'node:crypto'
import { type Agent, request as send } from 'undici'
import { OpenStackError } from '../openstack-error'
import { describeTarget, type FailureContext } from './describe-failure'
import type { TransportAnswer } from './types'

/** Escapes of NUL and of surrogates, a pair of which may be one character. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/i
/** PostgreSQL stores neither in JSON: `\p{Cs}` matches only surrogates without a partner. */
const UNSTORABLE = /[\0\p{Cs}]/gu

const cleanText = (text: string): string => text.replace(UNSTORABLE, '\ufffd')

const clean = (value: unknown): unknown => {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), clean(item)]))
}

/**
 * The value of an answer's JSON. NUL and surrogates without a partner become U+FFFD: a single name with one of them would
 * otherwise keep the database from storing everything that was read with it.
 */
export const parseJson = (text: string): unknown => {
  const value = JSON.parse(text) as unknown
  return SUSPICIOUS.test(text) ? clean(value) : value
}

type SendOnceInput = {
  agent: Agent
  context: FailureContext
  maxBodyBytes: number
  globalRequestId: string
}

const USER_AGENT = 'sliceboard'

/** One attempt. Throws undici's own errors, and OpenStackError for a body that is too long or is not JSON. */
export const sendOnce = async (input: SendOnceInput): Promise<TransportAnswer> => {
  const { request, timeoutMs } = input.context
  const hasBody = request.body !== undefined
  const res = await send(request.url, {
    method: request.method,
    dispatcher: input.agent,
    headers: {
      accept: 'application/json',
      'user-agent': USER_AGENT,
      'x-openstack-request-id': input.globalRequestId,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...request.headers,
    },
    ...(hasBody ? { body: JSON.stringify(request.body) } : {}),
    // The agent's timeouts bound each silence; this bounds a server that dribbles.
    signal: AbortSignal.timeout(timeoutMs),
  })
  const headers = flattenHeaders(res.headers)
  const requestId = headers['x-openstack-request-id'] ?? headers['x-compute-request-id'] ?? null
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of res.body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > input.maxBodyBytes) {
      throw invalid(input.context, `sent more than ${input.maxBodyBytes} bytes`, res.statusCode, requestId)
    }
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  const { knownDigest } = request
  const hasDigest = knownDigest !== undefined && res.statusCode === 200
  const digest = hasDigest ? createHash('sha256').update(body).digest('base64') : null
  return {
    status: res.statusCode,
    headers,
    json: digest === knownDigest ? null : readJson(body.toString('utf8'), res.statusCode, requestId, input),
    requestId,
    digest,
  }
}

const flattenHeaders = (
  headers: Record<string, string | string[] | undefined>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value
      return first === undefined ? [] : [[name.toLowerCase(), first]]
    }),
  )

/** Null for an empty body, and for an error's body that is not JSON: proxies in front of a service answer in HTML. */
const readJson = (text: string, status: number, requestId: string | null, input: SendOnceInput): unknown => {
  if (text.trim() === '') return null
  try {
    return parseJson(text)
  } catch {
    if (status >= 300) return null
    throw invalid(input.context, 'sent something that is not JSON', status, requestId)
  }
}

const invalid = (context: FailureContext, what: string, status: number, requestId: string | null) =>
  new OpenStackError(`${describeTarget(context)} ${what}; check that the address is the service's own.`, {
    kind: 'invalid-answer',
    service: context.request.service,
    cloud: context.cloud,
    status,
    requestId,
  })
