import 'server-only'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { REQUEST_ID_HEADER, requestIdFrom } from '../http/request-id'
import { API_POLICY, COMMON_HEADERS, pagePolicy } from './security-headers'

const isPage = (url: string): boolean => !/^\/(api|agent|_next|install\.sh)(\/|\?|$)/.test(url)

const firstValue = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

/** Gives the request its id and the answer its headers; what only we may set on a request is replaced. */
export const prepareRequest = ({
  req,
  res,
  isDevelopment,
}: {
  req: IncomingMessage
  res: ServerResponse
  isDevelopment: boolean
}): string => {
  const requestId = requestIdFrom(firstValue(req.headers[REQUEST_ID_HEADER]))
  req.headers[REQUEST_ID_HEADER] = requestId
  res.setHeader(REQUEST_ID_HEADER, requestId)
  for (const [name, value] of Object.entries(COMMON_HEADERS)) res.setHeader(name, value)
  delete req.headers['x-nonce']
  delete req.headers['content-security-policy']
  delete req.headers['content-security-policy-report-only']
  if (isPage(req.url ?? '/')) {
    const nonce = randomBytes(18).toString('base64')
    const policy = pagePolicy({ nonce, isDevelopment })
    req.headers['x-nonce'] = nonce
    req.headers['content-security-policy'] = policy
    res.setHeader('content-security-policy', policy)
  } else {
    res.setHeader('content-security-policy', API_POLICY)
  }
  return requestId
}
