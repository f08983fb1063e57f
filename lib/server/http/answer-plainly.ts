import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@/lib/server/context/log'
import { type Audience, answerError } from './error-response'

/** An error in front of Next, in the form that Next's routes give it too. */
export const answerPlainly = ({
  req,
  res,
  error,
  requestId,
  log,
  audience = 'public',
}: {
  req: IncomingMessage
  res: ServerResponse
  error: unknown
  requestId: string
  log: Logger
  audience?: Audience
}): void => {
  const answer = answerError(error, requestId, log, audience)
  if (res.headersSent) {
    res.destroy()
    return
  }
  // An unread body would prevent the next request of the connection.
  if (!req.complete) res.setHeader('connection', 'close')
  res.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body))
}
