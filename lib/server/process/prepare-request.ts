import 'server-only'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { REQUEST_ID_HEADER, requestIdFrom } from '@/lib/server/context/request-id'
import { BUILD_HEADER } from '@/lib/util/build-header'
import { NONCE_HEADER, storePageSignal } from '../http/page-signal'
import { CLIENT_ADDRESS_HEADER, PAGE_PATH_HEADER } from '../session/request-facts'
import { clientAddress } from './client-address'
import { API_POLICY, COMMON_HEADERS, pagePolicy, STATIC_POLICY, TLS_ONLY } from './security-headers'

/** Named after their content, and the same for everybody. */
const isStatic = (url: string): boolean => url.startsWith('/_next/static/')

/** What pages request, and not what agents do. */
const isApi = (url: string): boolean => /^\/api\/v1[/?]/.test(url)

const isPage = (url: string): boolean => !/^\/(api|agent|_next|install\.sh)(\/|\?|$)/.test(url)

/** The page's own address, without the parameters that Next adds when it requests a part. */
const pagePath = (url: string): string => {
  const [path = '/', search = ''] = url.split('?', 2)
  const params = new URLSearchParams(search)
  params.delete('_rsc')
  return params.size === 0 ? path : `${path}?${params}`
}

const firstValue = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

const ON_EVERY_ANSWER = Object.entries(COMMON_HEADERS)

/** Headers of a request that only we may set. */
const OURS = [
  NONCE_HEADER,
  'content-security-policy',
  'content-security-policy-report-only',
  PAGE_PATH_HEADER,
  CLIENT_ADDRESS_HEADER,
  BUILD_HEADER,
]

/** Next expects these from its proxies and from data requests of the Pages Router; the console has neither. */
const FRAMEWORK = /^x-(middleware-|nextjs-data|matched-path|invoke-|now-|prerender-)/

const isDecodable = (text: string): boolean => {
  try {
    JSON.parse(decodeURIComponent(text))
    return true
  } catch {
    return false
  }
}

/** Next answers 500 to a state that it can't read, and the whole page without one. */
const ROUTER_STATE = 'next-router-state-tree'

const dropForeign = (headers: IncomingMessage['headers']): void => {
  for (const name of Object.keys(headers))
    if (OURS.includes(name) || FRAMEWORK.test(name)) delete headers[name]
  const state = headers[ROUTER_STATE]
  if (state !== undefined && !isDecodable([state].flat().join(','))) delete headers[ROUTER_STATE]
}

/** Gives the request its id and the answer its headers; what only we may set on a request is replaced. */
export const prepareRequest = ({
  req,
  res,
  isDevelopment,
  proxies,
  url,
  build = null,
}: {
  req: IncomingMessage
  res: ServerResponse
  isDevelopment: boolean
  proxies: number
  /** The console's own address. */
  url: string | null
  /** The build of the pages; null: they are compiled when they are requested. */
  build?: string | null
}): string => {
  const { headers } = req
  const requestId = requestIdFrom(firstValue(headers[REQUEST_ID_HEADER]))
  dropForeign(headers)
  headers[REQUEST_ID_HEADER] = requestId
  headers[CLIENT_ADDRESS_HEADER] = clientAddress(req, proxies)
  res.setHeader(REQUEST_ID_HEADER, requestId)
  for (const [name, value] of ON_EVERY_ANSWER) res.setHeader(name, value)
  if (url?.startsWith('https://')) res.setHeader('strict-transport-security', TLS_ONLY)
  // A handler's own headers take precedence; Next and the handlers in front keep these otherwise.
  if (!isStatic(req.url ?? '/')) res.setHeader('cache-control', 'no-store')
  if (build !== null && isApi(req.url ?? '/')) res.setHeader(BUILD_HEADER, build)
  if (isPage(req.url ?? '/')) {
    if (build !== null) headers[BUILD_HEADER] = build
    const nonce = randomBytes(18).toString('base64')
    const policy = pagePolicy({ nonce, isDevelopment })
    headers[NONCE_HEADER] = nonce
    storePageSignal(nonce, res)
    headers[PAGE_PATH_HEADER] = pagePath(req.url ?? '/')
    headers['content-security-policy'] = policy
    res.setHeader('content-security-policy', policy)
  } else {
    res.setHeader('content-security-policy', isStatic(req.url ?? '/') ? STATIC_POLICY : API_POLICY)
  }
  return requestId
}
