import type { OpenStackServiceName } from '../openstack-error'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'

/** Requests of one service, repeated attempts included, and the milliseconds until their answers had come. */
export type ServiceCost = { requests: number; ms: number }
export type RequestCosts = Readonly<Record<OpenStackServiceName, ServiceCost>>

/** Counts what one piece of work costs; handed along with every request of that work. */
export type RequestMeter = {
  record: (request: { service: OpenStackServiceName; ms: number }) => void
  costs: () => RequestCosts
}

export type TransportRequest = {
  service: OpenStackServiceName
  method: HttpMethod
  /** Absolute; its origin must be allowed. */
  url: string
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  body?: unknown
  /** Error statuses that come back as an answer and are not thrown. */
  acceptStatuses?: readonly number[]
  /**
   * Digest of the body that the caller has read before, '' for none: an equal body is not parsed again, and `json` is null. Omitted: no
   * digest is computed.
   */
  knownDigest?: string
  /** Removed from every error text, in addition to the tokens in the headers. */
  secrets?: readonly string[]
  meter?: RequestMeter | undefined
}

export type TransportAnswer = {
  status: number
  /** Names in lower case; of repeated headers the first. */
  headers: Readonly<Record<string, string>>
  /** Null for an answer without a body. */
  json: unknown
  requestId: string | null
  /** Of the body of a request with `knownDigest`; null: the answer is an error. */
  digest?: string | null
}

/** The one way to a cloud: pool, rate, certificate rules, allowed addresses and error texts. */
export type Transport = {
  /** @throws OpenStackError */
  request: (request: TransportRequest) => Promise<TransportAnswer>
  /** Allows the origins of these addresses (the catalog's) from now on. */
  allowOrigins: (urls: readonly string[]) => void
  /** Since the transport was made. */
  costs: () => RequestCosts
  close: () => Promise<void>
}
