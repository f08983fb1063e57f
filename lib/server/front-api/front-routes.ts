import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FrontHandler } from '../process/run-server'
import { requestPath } from './request-path'
import { takesGzip } from './takes-gzip'

/** What a `route.ts` of an address without varying parts exports. */
type Handler = (request: Request, segment: { params: Promise<Record<string, never>> }) => Promise<Response>

/** Shorter ones grow by it. */
const MIN_ZIPPED_BYTES = 1024
/** Of a chart a tenth more bytes than at the default level, in half of the time. */
const LEVEL = { level: constants.Z_BEST_SPEED + 2 }
const zip = promisify(gzip)

const headersOf = ({ headers }: IncomingMessage): Headers => {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined)
  return new Headers(given.map(([name, value]): [string, string] => [name, [value].flat().join(', ')]))
}

/** Aborts when the browser closes the connection before the answer was sent. */
const closeSignal = (res: ServerResponse): AbortSignal => {
  const closed = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) closed.abort()
  })
  return closed.signal
}

const send = async (req: IncomingMessage, res: ServerResponse, response: Response): Promise<void> => {
  if (response.body === null) {
    res.writeHead(response.status, { ...Object.fromEntries(response.headers), vary: 'accept-encoding' }).end()
    return
  }
  const plain = Buffer.from(await response.arrayBuffer())
  const isZipped =
    plain.byteLength >= MIN_ZIPPED_BYTES && takesGzip([req.headers['accept-encoding']].flat().join(','))
  const body = isZipped ? await zip(plain, LEVEL) : plain
  res.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    vary: 'accept-encoding',
    'content-length': body.byteLength,
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}

/**
 * Reads of `app/api/v1`, by their paths, answered in front of Next: the same handlers with the same checks, without Next's way to
 * them, which takes longer than many a chart. What is not exactly one of the paths is left to Next, which has them all.
 */
export const createFrontRoutes = (routes: Readonly<Record<string, Handler>>): (() => FrontHandler) => {
  const handlers = new Map(Object.entries(routes))
  return () => async (req, res) => {
    const requested = requestPath(req)
    const handler = requested === null ? undefined : handlers.get(requested.path)
    if (handler === undefined) return false
    // Routes read the path and the search alone.
    const request = new Request(new URL(req.url ?? '/', 'http://in.front'), {
      headers: headersOf(req),
      signal: closeSignal(res),
    })
    await send(req, res, await handler(request, { params: Promise.resolve({}) }))
    return true
  }
}
