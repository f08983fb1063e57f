import 'server-only'
import type * as z from 'zod/v4/core'
import { parseInput } from '../parse-input'
import { getRuntime } from '../runtime'
import type { ServiceContext } from '../service-context'
import { checkSameOrigin } from './check-same-origin'
import { answerError } from './error-response'
import { readJsonBody } from './read-json-body'
import { requestContext } from './request-context'
import { REQUEST_ID_HEADER, requestIdFrom } from './request-id'

type Schemas = { params?: z.$ZodType; query?: z.$ZodType; body?: z.$ZodType }
type Parsed<Schema> = Schema extends z.$ZodType ? z.output<Schema> : undefined

type RouteInput<S extends Schemas> = {
  ctx: ServiceContext
  request: Request
  params: Parsed<S['params']>
  query: Parsed<S['query']>
  body: Parsed<S['body']>
}

type NextHandler = (
  request: Request,
  segment: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response>

const READS = ['GET', 'HEAD', 'OPTIONS']

// The conditional type cannot follow the branch: with a schema it is that schema's output, without one undefined.
const parseIf = <Schema>(schema: z.$ZodType | undefined, input: unknown): Parsed<Schema> =>
  (schema ? parseInput(schema, input) : undefined) as Parsed<Schema>

const toResponse = (result: unknown, status: number): Response => {
  if (result instanceof Response) return result
  if (result === undefined || result === null) return new Response(null, { status: 204 })
  return Response.json(result, { status, headers: { 'cache-control': 'no-store' } })
}

const withRequestId = (response: Response, requestId: string): Response => {
  response.headers.set(REQUEST_ID_HEADER, requestId)
  return response
}

/**
 * A handler of `app/api/v1`. Parses path, search params and body by the given schemas, refuses what another site sent,
 * and turns what the handler returns into JSON (nothing: 204; a Response: as it stands) and what it throws into an error.
 */
export const route = <const S extends Schemas>(
  schemas: S & { status?: number },
  handler: (input: RouteInput<S>) => Promise<unknown>,
): NextHandler => {
  return async (request, segment) => {
    const runtime = getRuntime()
    const requestId = requestIdFrom(request.headers.get(REQUEST_ID_HEADER))
    try {
      if (!READS.includes(request.method)) checkSameOrigin(request.headers)
      const result = await handler({
        ctx: requestContext(runtime, requestId),
        request,
        params: parseIf<S['params']>(schemas.params, await segment.params),
        query: parseIf<S['query']>(schemas.query, Object.fromEntries(new URL(request.url).searchParams)),
        body: parseIf<S['body']>(schemas.body, schemas.body && (await readJsonBody(request))),
      })
      return withRequestId(toResponse(result, schemas.status ?? 200), requestId)
    } catch (error) {
      const { status, headers, body } = answerError(error, requestId, runtime.log)
      return Response.json(body, { status, headers })
    }
  }
}
