export type OpenStackServiceName = 'keystone' | 'placement' | 'nova' | 'neutron' | 'glance'

/**
 * - `http`: the service answered with the error status in `status`.
 * - `auth`: Keystone refused the credentials or the scope, or a service refused a fresh token (401).
 * - `timeout`, `unreachable`, `tls`: no answer came.
 * - `invalid-answer`: an answer came that does not match the API (not JSON, other shape, too long).
 * - `refused-endpoint`: no request was sent: a redirect, or an address outside the catalog and the configuration.
 */
export type OpenStackErrorKind =
  | 'http'
  | 'auth'
  | 'timeout'
  | 'unreachable'
  | 'tls'
  | 'invalid-answer'
  | 'refused-endpoint'

export const SERVICE_TITLES: Readonly<Record<OpenStackServiceName, string>> = {
  keystone: 'Keystone',
  placement: 'Placement',
  nova: 'Nova',
  neutron: 'Neutron',
  glance: 'Glance',
}

type OpenStackErrorFields = {
  kind: OpenStackErrorKind
  service: OpenStackServiceName
  cloud: string
  status?: number | null
  code?: string | null
  detail?: string | null
  requestId?: string | null
  retryAfterSeconds?: number | null
  cause?: unknown
}

/**
 * What went wrong between us and one service of one cloud. `message` is one sentence for people; it, `detail` and the
 * other fields hold no token, password or secret.
 */
export class OpenStackError extends Error {
  readonly kind: OpenStackErrorKind
  readonly service: OpenStackServiceName
  readonly cloud: string
  /** HTTP status; null when no answer came. */
  readonly status: number | null
  /** Placement's error code, such as `placement.concurrent_update`. */
  readonly code: string | null
  /** OpenStack's own message. */
  readonly detail: string | null
  /** The service's request id (`req-…`), to be found in its log. */
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(message: string, fields: OpenStackErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.name = 'OpenStackError'
    this.kind = fields.kind
    this.service = fields.service
    this.cloud = fields.cloud
    this.status = fields.status ?? null
    this.code = fields.code ?? null
    this.detail = fields.detail ?? null
    this.requestId = fields.requestId ?? null
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null
  }
}

/** The server's bundle and Next's each load a copy of the class, so `instanceof` does not reach across. */
export const isOpenStackError = (error: unknown): error is OpenStackError =>
  error instanceof Error && error.name === 'OpenStackError' && 'service' in error && 'kind' in error
