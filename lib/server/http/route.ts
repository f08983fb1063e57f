import 'server-only'
import type * as z from 'zod/v4/core'
import { requestContext } from '@/lib/server/context/request-context'
import { REQUEST_ID_HEADER, requestIdFrom } from '@/lib/server/context/request-id'
import { getRuntime, type Runtime } from '@/lib/server/context/runtime'
import { type Actor, ANONYMOUS, type ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import type { Env } from '@/lib/server/settings/env'
import { requireActor, requireSignedIn } from '../session/find-caller'
import { type RequestFacts, requestFacts } from '../session/request-facts'
import { requireStillKnown } from '../session/require-still-known'
import { checkSameOrigin } from './check-same-origin'
import { answerError, audienceOf } from './error-response'
import { readJsonBody } from './read-json-body'

type Schemas = { params?: z.$ZodType; query?: z.$ZodType; body?: z.$ZodType }
type Parsed<Schema> = Schema extends z.$ZodType ? z.output<Schema> : undefined

/**
 * Who may call: a person with a role (`account`), a person who has signed in and may still have to choose a project
 * (`session`), or anyone, who is then not checked (`anyone`).
 */
type Admission = 'account' | 'session' | 'anyone'

type Options = {
  status?: number
  admits?: Admission
  /** Of a form that another site's page sends by design, such as Keystone's after WebSSO. */
  isForeignPostExpected?: true
}

type RouteInput<S extends Schemas> = {
  ctx: ServiceContext
  env: Env
  /** The sender, as far as the request contains it. */
  facts: RequestFacts
  request: Request
  params: Parsed<S['params']>
  query: Parsed<S['query']>
  body: Parsed<S['body']>
}

type NextHandler = (
  request: Request,
  segment: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response>

const admit: Record<Admission, (runtime: Runtime, facts: RequestFacts) => Promise<Actor>> = {
  account: requireActor,
  session: requireSignedIn,
  anyone: async () => ANONYMOUS,
}

/** The client has closed the connection. The status is nginx's. */
const CLIENT_CLOSED_REQUEST = 499

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
 * A handler of `app/api/v1`. Parses path, search params and body by the given schemas, refuses requests of other sites,
 * and converts the handler's result into JSON (nothing: 204; a Response: unchanged) and its exception into an error.
 */
export const route = <const S extends Schemas>(
  schemas: S & Options,
  handler: (input: RouteInput<S>) => Promise<unknown>,
): NextHandler => {
  return async (request, segment) => {
    const runtime = getRuntime()
    const requestId = requestIdFrom(request.headers.get(REQUEST_ID_HEADER))
    let sender: Record<string, string> = {}
    let asking: Actor | null = null
    try {
      const { admits = 'account', isForeignPostExpected = false } = schemas
      if (!READS.includes(request.method) && !isForeignPostExpected)
        checkSameOrigin(request.headers, runtime.env.url)
      const facts = requestFacts((name) => request.headers.get(name))
      const actor = await admit[admits](runtime, facts)
      asking = actor
      if (actor.kind === 'user') sender = { actor: actor.name, address: facts.address }
      const params = parseIf<S['params']>(schemas.params, await segment.params)
      const search = Object.fromEntries(new URL(request.url).searchParams)
      const query = parseIf<S['query']>(schemas.query, search)
      const given = schemas.body && (await readJsonBody(request))
      if (schemas.body) await requireStillKnown(runtime, actor)
      const result = await handler({
        ctx: { ...requestContext(runtime, requestId, actor), signal: request.signal },
        env: runtime.env,
        facts,
        request,
        params,
        query,
        body: parseIf<S['body']>(schemas.body, given),
      })
      return withRequestId(toResponse(result, schemas.status ?? 200), requestId)
    } catch (error) {
      if (request.signal.aborted) return new Response(null, { status: CLIENT_CLOSED_REQUEST })
      const { status, headers, body } = answerError(
        error,
        requestId,
        runtime.log.child(sender),
        audienceOf(asking),
      )
      return Response.json(body, { status, headers })
    }
  }
}
