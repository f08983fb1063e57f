import type { IncomingHttpHeaders } from 'node:http'

export type ServiceName = 'keystone' | 'placement' | 'nova' | 'neutron' | 'glance'

/** A request below a service's prefix, its JSON parsed. */
export type ApiRequest = {
  method: string
  /** Below the service's prefix, with leading slash and without query. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** Undefined without a body. */
  body: unknown
  /** `req-…`, also the answer's x-openstack-request-id. */
  requestId: string
  /** `http://127.0.0.1:PORT`, for links. */
  origin: string
}

/** `body` is sent as JSON, `html` as a page; neither for 204. */
export type ApiAnswer = {
  status: number
  headers?: Record<string, string>
  body?: unknown
  html?: string
}

export const headerOf = (request: ApiRequest, name: string): string | null => {
  const value = request.headers[name.toLowerCase()]
  return typeof value === 'string' ? value : (value?.[0] ?? null)
}
