import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requestContext } from '@/lib/server/context/request-context'
import { REQUEST_ID_HEADER, requestIdFrom } from '@/lib/server/context/request-id'
import type { Runtime } from '@/lib/server/context/runtime'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import type { EncodedAnswer } from '@/lib/server/sharing/encoded-answer'
import { listGpusEncoded } from '@/lib/services/gpu/list-gpus'
import { listHostsEncoded } from '@/lib/services/host/list-hosts'
import { apiPaths } from '@/lib/util/paths'
import { HELD_BY_PAGES, isKnownToClient } from '../http/conditional'
import { requireActor } from '../session/find-caller'
import { requestFacts } from '../session/request-facts'
import { requestPath } from './request-path'
import { takesGzip } from './takes-gzip'

const sendEncoded = async (
  req: IncomingMessage,
  res: ServerResponse,
  encoded: EncodedAnswer,
): Promise<void> => {
  const etag = `W/"${encoded.version}"`
  const common = { etag, 'cache-control': HELD_BY_PAGES, vary: 'accept-encoding' }
  if (isKnownToClient(req.headers['if-none-match'], etag)) {
    res.writeHead(304, common).end()
    return
  }
  const isZipped = takesGzip(req.headers['accept-encoding'])
  const body = isZipped ? await encoded.gzip() : encoded.identity
  res.writeHead(200, {
    ...common,
    'content-type': 'application/json',
    'content-length': body.byteLength,
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}

type ListEncoded = (ctx: ServiceContext, scope: CloudScope) => Promise<EncodedAnswer>

const LISTS: ReadonlyMap<string, ListEncoded> = new Map([
  [apiPaths.gpus(), listGpusEncoded],
  [apiPaths.hosts(), listHostsEncoded],
])

/**
 * `GET /api/v1/gpus` and `/api/v1/hosts`, the browser routes that are only in front of Next: a list is gzipped once per
 * content, but Next removes content-encoding from a route's answer (next/dist/server/send-response.js) and would gzip 4
 * MB every time.
 */
export const createFleetApi =
  (runtime: Runtime) =>
  async (req: IncomingMessage, res: ServerResponse): Promise<boolean> => {
    const requested = requestPath(req)
    const list = requested === null ? undefined : LISTS.get(requested.path)
    if (requested === null || list === undefined) return false
    const requestId = requestIdFrom([req.headers[REQUEST_ID_HEADER]].flat()[0])
    const scope = parseInput(cloudScopeSchema, Object.fromEntries(new URLSearchParams(requested.search)))
    const facts = requestFacts((name) => [req.headers[name]].flat()[0])
    const ctx = requestContext(runtime, requestId, await requireActor(runtime, facts))
    await sendEncoded(req, res, await list(ctx, scope))
    return true
  }
