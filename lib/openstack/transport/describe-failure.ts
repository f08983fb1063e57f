import { OpenStackError, type OpenStackErrorKind, SERVICE_TITLES } from '../openstack-error'
import type { TransportRequest } from './types'

/** Where a request goes, in the words of an error: never the query, which may be long. */
export type FailureContext = { cloud: string; request: TransportRequest; timeoutMs: number }

const MAX_DETAIL_LENGTH = 500
const SECRET_HEADERS = ['x-auth-token', 'x-subject-token']

/** A short secret only as a word: taken out of every word it would spell itself. */
const withoutSecret = (text: string, secret: string): string => {
  if (secret === '') return text
  if (secret.length >= 8) return text.replaceAll(secret, '***')
  const escaped = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.replace(new RegExp(`(?<![A-Za-z0-9])${escaped}(?![A-Za-z0-9])`, 'g'), '***')
}

/** One line without the secrets of the request. */
export const cleanText = (text: string, request: TransportRequest): string => {
  const headers = Object.entries(request.headers ?? {})
  const secrets = [
    ...headers.filter(([name]) => SECRET_HEADERS.includes(name.toLowerCase())).map(([, value]) => value),
    ...(request.secrets ?? []),
  ]
  let clean = text
  for (const secret of secrets) clean = withoutSecret(clean, secret)
  clean = clean.replace(/\s+/g, ' ').trim()
  return clean.length > MAX_DETAIL_LENGTH ? `${clean.slice(0, MAX_DETAIL_LENGTH)}…` : clean
}

export const describeTarget = ({ cloud, request }: FailureContext): string => {
  const url = new URL(request.url)
  return `${SERVICE_TITLES[request.service]} of cloud "${cloud}" (${request.method} ${url.origin}${url.pathname})`
}

const TLS_CODES =
  /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ERR_TLS|ERR_SSL|EPROTO|HOSTNAME_MISMATCH)/
const TIMEOUT_CODES = [
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return 'UND_ERR_HEADERS_TIMEOUT'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

const sentenceOf = (kind: OpenStackErrorKind, code: string, context: FailureContext): string => {
  const target = describeTarget(context)
  if (kind === 'timeout') return `${target} gave no answer within ${context.timeoutMs / 1000} s.`
  if (kind === 'tls') {
    return `${target} has a certificate that can't be trusted (${code}); name its authority as cacert in clouds.yaml.`
  }
  return `${target} can't be reached (${code}).`
}

/** An error of the connection, from undici's. */
export const toConnectionError = (error: unknown, context: FailureContext): OpenStackError => {
  if (error instanceof OpenStackError) return error
  const code = codeOf(error)
  const kind = TIMEOUT_CODES.includes(code) ? 'timeout' : TLS_CODES.test(code) ? 'tls' : 'unreachable'
  return new OpenStackError(sentenceOf(kind, code, context), {
    kind,
    service: context.request.service,
    cloud: context.cloud,
  })
}
