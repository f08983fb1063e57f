import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '@/lib/server/errors/service-error'

const RETRY_SECONDS = 1

/** Colors of the reader's system, since no style sheet can be served yet. */
const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width"><title>Sliceboard is starting</title></head>
<body><h1>Sliceboard is starting</h1><p>This page opens by itself as soon as it is ready.</p></body>
</html>
`

const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true

/** The answer to every request until the console is ready: a page that reloads for browsers, else the error. */
export const answerStarting = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
  if (!wantsPage(req))
    throw new ServiceError('unavailable', 'Sliceboard is starting: try again in a second.', {
      retryAfterSeconds: RETRY_SECONDS,
    })
  res
    .writeHead(503, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(PAGE),
      'cache-control': 'no-store',
      'retry-after': String(RETRY_SECONDS),
      refresh: String(RETRY_SECONDS),
    })
    .end(PAGE)
}
