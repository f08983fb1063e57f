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
  /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ERR_TLS|ERR_SSL|ERR_OSSL|INVALID_CA|EPROTO|HOSTNAME_MISMATCH)/
const TIMEOUT_CODES = [
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]

/** undici names a closed socket alone; the reason, such as a TLS alert, is its cause. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return 'UND_ERR_HEADERS_TIMEOUT'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const isWrapped = code === 'UND_ERR_SOCKET' || code === 'UND_ERR_ABORTED' || code === 'Error'
  return isWrapped && error.cause instanceof Error ? codeOf(error.cause) : code
}

/** What a TLS error means and what to change. The first pattern that matches the code counts. */
const TLS_ADVICE: readonly (readonly [pattern: RegExp, text: string])[] = [
  [
    /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL/,
    'does not use TLS at this port. If it uses plain HTTP, write its address with http://',
  ],
  [
    /ALTNAME_INVALID|HOSTNAME_MISMATCH/,
    'has a certificate for another name. Use a name that the certificate has, or have it reissued for this one',
  ],
  [/CERT_HAS_EXPIRED/, 'has a certificate that has expired. Renew it'],
  [
    /CERT_NOT_YET_VALID/,
    'has a certificate that is not valid yet. Check the clocks of the server and of this machine',
  ],
  [/CERT_REVOKED/, 'has a certificate that was revoked. Replace it'],
  [
    /CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA$|ALERT_CERTIFICATE|ALERT_UNKNOWN_CA|ACCESS_DENIED/,
    'refused the connection. It may require a client certificate that its authority has signed: name it as cert and key in clouds.yaml',
  ],
  [
    /NO_PROTOCOLS|UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|NO_SHARED_CIPHER|INSUFFICIENT_SECURITY|KEY_TOO_SMALL|MD_TOO_WEAK|TOO_WEAK/,
    'offers only TLS versions, ciphers or keys that are too old. Enable TLS 1.2 or newer there',
  ],
  [
    /SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_UNTRUSTED|CERT_CHAIN|INVALID_CA/,
    'has a certificate of an authority that this machine does not trust. Name that authority as cacert in clouds.yaml',
  ],
]
/** A TLS port closes a plain connection, and with TLS 1.3 one without the client's certificate, without an answer. */
const CUT_PLAIN = 'If this port uses TLS, write its address with https://.'
const CUT_TLS =
  'The server closed the connection. If it requires a client certificate, name it as cert and key in clouds.yaml.'
const OTHER_TLS = 'could not set up TLS. Check its certificate and its TLS settings'

const sentenceOf = (kind: OpenStackErrorKind, code: string, context: FailureContext): string => {
  const target = describeTarget(context)
  if (kind === 'timeout') return `${target} gave no answer within ${context.timeoutMs / 1000} s.`
  if (kind === 'tls') {
    const advice = TLS_ADVICE.find(([pattern]) => pattern.test(code))?.[1] ?? OTHER_TLS
    return `${target} ${advice} (${code}).`
  }
  const isCut = ['UND_ERR_SOCKET', 'ECONNRESET', 'HPE_INVALID_CONSTANT'].includes(code)
  const advice = isCut ? ` ${context.request.url.startsWith('http:') ? CUT_PLAIN : CUT_TLS}` : ''
  return `${target} can't be reached (${code}).${advice}`
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
