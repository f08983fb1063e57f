import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AGENT_ERRORS } from '@/lib/schemas/agent/errors'
import type { ErrorBody } from '@/lib/schemas/api/error-body'
import { REQUEST_ID_HEADER } from '@/lib/server/context/request-id'
import type { AgentError } from '@/lib/server/errors/agent-error'
import { drainBody } from './read-body'

export const sendJson = (res: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body)
  res
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
    })
    .end(text)
}

/** An error in the form of the browser's API, with the necessary HTTP headers. */
export const sendAgentError = ({
  req,
  res,
  error,
}: {
  req: IncomingMessage
  res: ServerResponse
  error: AgentError
}): void => {
  if (res.headersSent) {
    res.destroy()
    return
  }
  const status = AGENT_ERRORS[error.code]
  if (error.retryAfterSeconds !== undefined) res.setHeader('retry-after', String(error.retryAfterSeconds))
  if (status === 401) res.setHeader('www-authenticate', 'Bearer')
  if (status === 405) res.setHeader('allow', 'POST')
  if (status === 408) res.setHeader('connection', 'close')
  else drainBody(req)
  const body: ErrorBody = {
    error: {
      code: error.code,
      message: error.message,
      requestId: String(res.getHeader(REQUEST_ID_HEADER) ?? ''),
      ...(error.field === undefined ? {} : { field: error.field }),
    },
  }
  sendJson(res, status, body)
}
