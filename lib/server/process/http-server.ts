import 'server-only'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '@/lib/server/context/log'
import { ServiceError } from '@/lib/server/errors/service-error'
import { answerPlainly } from '@/lib/server/http/answer-plainly'
import { isAllowedHost } from './allowed-host'
import { checkDirect } from './check-direct'
import { checkTarget } from './check-target'
import { prepareRequest } from './prepare-request'

const RETRY_SECONDS = 1

/** Colors of the reader's system, since no style sheet can be served yet. */
const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width"><title>Sliceboard is starting</title></head>
<body><h1>Sliceboard is starting</h1><p>This page loads automatically when the console is ready.</p></body>
</html>
`

const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true

/** The answer to every request until the console is ready: a page that reloads for browsers, else the error. */
const answerStarting = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
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

/** Returns pending work if the answer may still fail; else the handler always answers. */
export type HttpHandler = (req: IncomingMessage, res: ServerResponse) => Promise<unknown> | undefined

/** What a connection may cost that sends nothing useful. */
export const HTTP_LIMITS = {
  headersTimeout: 10_000,
  /** Until the whole body has arrived. */
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const assertServable = (req: IncomingMessage, url: string | null): void => {
  if (!isAllowedHost(req.headers.host, url)) {
    throw new ServiceError(
      'forbidden',
      url === null
        ? `The Host header is "${req.headers.host ?? ''}", but without sign-in Sliceboard answers only as localhost, 127.0.0.1 or [::1].`
        : `The Host header is "${req.headers.host ?? ''}", but Sliceboard answers only as ${new URL(url).host} (SLICEBOARD_URL) or by an address.`,
    )
  }
  if (!METHODS.includes(req.method ?? '')) {
    throw new ServiceError(
      'validation',
      `The method is ${req.method}, but must be one of ${METHODS.join(', ')}.`,
    )
  }
  checkTarget(req.url ?? '/')
}

const logWhenAnswered = ({
  req,
  res,
  requestId,
  log,
}: {
  req: IncomingMessage
  res: ServerResponse
  requestId: string
  log: Logger
}): void => {
  const startedAt = performance.now()
  const path = (req.url ?? '/').split('?', 1)[0]
  res.on('finish', () => {
    const ms = Math.round(performance.now() - startedAt)
    log.debug({ requestId, method: req.method, path, status: res.statusCode, ms }, 'Request')
  })
}

export type HttpServer = {
  server: Server
  /** Until then every request is answered with 503. `build`: of the pages; null: in development. */
  serve: (handler: HttpHandler, build?: string | null) => void
  /** From then on every answer closes its connection. */
  refuseKeepAlive: () => void
}

/** The one listener of the process: everything that comes in passes here first. */
export const createHttpServer = ({
  isDevelopment,
  log,
  url = null,
  proxies = 0,
  hasSignIn = true,
  limits = HTTP_LIMITS,
}: {
  isDevelopment: boolean
  log: Logger
  /** The console's own address; null: only this machine reaches it. */
  url?: string | null
  proxies?: number
  /** False: every client is an admin, so what comes through a proxy is refused. */
  hasSignIn?: boolean
  limits?: typeof HTTP_LIMITS
}): HttpServer => {
  let handler: HttpHandler = answerStarting
  let isClosing = false
  let build: string | null = null
  const server = createServer(limits, (req, res) => {
    const requestId = prepareRequest({ req, res, isDevelopment, proxies, url, build })
    if (isClosing) res.setHeader('connection', 'close')
    if (log.isLevelEnabled('debug')) logWhenAnswered({ req, res, requestId, log })
    const fail = (error: unknown): void => answerPlainly({ req, res, error, requestId, log })
    try {
      assertServable(req, url)
      if (!hasSignIn) checkDirect(req)
      handler(req, res)?.catch(fail)
    } catch (error) {
      fail(error)
    }
  })
  // Next adds its own listener for hot reload in development; nothing else uses web sockets.
  server.on('upgrade', (req: IncomingMessage, socket: Socket) => {
    if (!isDevelopment || !isAllowedHost(req.headers.host, url)) socket.destroy()
  })
  return {
    server,
    serve: (next, nextBuild = null) => {
      handler = next
      build = nextBuild
    },
    refuseKeepAlive: () => {
      isClosing = true
    },
  }
}
