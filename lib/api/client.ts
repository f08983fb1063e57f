import type { ErrorBody } from '@/lib/schemas/api/error-body'
import { isAway } from './activity'
import { connection } from './connection'
import { noteBuild } from './new-build'

/** Codes of the server's errors, and three of the browser: no answer, not an answer of the console, or one of another build. */
export type ApiErrorCode = 'unreachable' | 'unreadable' | 'outdated' | (string & {})

/** The one error that a query or mutation of lib/api fails with. `status` is 0 when no answer came. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ApiErrorCode
  readonly requestId: string | null
  readonly field: string | null
  /** All invalid fields of what was sent, each with its own sentence. */
  readonly fields: readonly { field: string; message: string }[]
  readonly retryAfterSeconds: number | null

  constructor(facts: {
    message: string
    status: number
    code: ApiErrorCode
    requestId?: string | null
    field?: string | null | undefined
    fields?: readonly { field: string; message: string }[] | undefined
    retryAfterSeconds?: number | null
    cause?: unknown
  }) {
    super(facts.message, { cause: facts.cause })
    this.status = facts.status
    this.code = facts.code
    this.requestId = facts.requestId ?? null
    this.field = facts.field ?? null
    this.fields = facts.fields ?? []
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
  }
}

/** What a form shows at its fields: all that the server listed, else the one that it named. */
export const invalidFields = ({ fields, field, message }: ApiError): ApiError['fields'] =>
  fields.length > 0 || field === null ? fields : [{ field, message }]

/** The requested object does not exist; every other failure may be temporary. */
export const isNotFound = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.status === 404

/** No answer came; what the page shows is from before. */
export const isUnreachable = (error: Error | null): boolean =>
  error instanceof ApiError && error.code === 'unreachable'

/** The session has ended, so the server refuses everything. */
export const isSignedOut = (error: Error | null): boolean => error instanceof ApiError && error.status === 401

/** Another build answers, so the page shows its last data until it is reloaded (lib/api/new-build). */
export const isOutdated = (error: Error | null): boolean =>
  error instanceof ApiError && error.code === 'outdated'

type ApiRequest = {
  path: string
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

/** A console that hangs is as good as one that is gone. Changes get longer: what they began must not look failed. */
const TIMEOUT_MS = { read: 15_000, change: 60_000 }

const sendOnce = async ({
  path,
  method = 'GET',
  body,
  headers = {},
  signal,
}: ApiRequest): Promise<Response> => {
  const timeout = AbortSignal.timeout(method === 'GET' ? TIMEOUT_MS.read : TIMEOUT_MS.change)
  try {
    const response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(isAway() ? { 'x-background': '1' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    connection.noteAnswer(response)
    return response
  } catch (cause) {
    if (signal?.aborted) throw cause
    connection.onFailure()
    const message = 'The console did not answer. Check your connection and try again.'
    throw new ApiError({ message, status: 0, code: 'unreachable', cause })
  }
}

/** Data of another build may have a form that this page cannot draw. */
const refuseOtherBuild = (response: Response): Response => {
  if (!noteBuild(response)) return response
  const message = 'The console was updated. Reload the page.'
  throw new ApiError({ message, status: response.status, code: 'outdated' })
}

/** Changes under way, by method, path and body: a second click gets the answer of the first. */
const underWay = new Map<string, Promise<Response>>()

/** The answer of a change that is under way is shared; each caller reads a copy of it. */
const send = async (request: ApiRequest): Promise<Response> => {
  const { path, method = 'GET', body } = request
  if (method === 'GET') return refuseOtherBuild(await sendOnce(request))
  const key = `${method} ${path} ${JSON.stringify(body)}`
  const first = underWay.get(key) ?? sendOnce(request).finally(() => underWay.delete(key))
  underWay.set(key, first)
  const response = (await first).clone()
  // What was sent has happened, so its answer is used.
  noteBuild(response)
  return response
}

const retryAfterSeconds = (response: Response): number | null => {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

/** A proxy in front of the console may answer with an error, in any form. */
const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' &&
  body !== null &&
  'error' in body &&
  typeof body.error === 'object' &&
  body.error !== null &&
  ['code', 'message', 'requestId'].every((name) => typeof Reflect.get(body.error ?? {}, name) === 'string')

const failure = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => null)
  const common = { status: response.status, retryAfterSeconds: retryAfterSeconds(response) }
  if (isErrorBody(body)) return new ApiError({ ...common, ...body.error })
  const message = `The console answered ${response.status} without a reason. Try again, or check its log.`
  return new ApiError({ ...common, message, code: 'internal' })
}

type Fault = { path: string; response: Response; cause: unknown }

const unreadable = ({ path, response, cause }: Fault): ApiError =>
  new ApiError({
    message: `The answer to ${path} is not from the console. Check the proxy in front of it.`,
    status: response.status,
    code: 'unreadable',
    requestId: response.headers.get('x-request-id'),
    cause,
  })

/** The answer was truncated in transit, so it counts as no answer and may be retried. */
const brokenOff = ({ path, response, cause }: Fault): ApiError =>
  new ApiError({
    message: `The answer to ${path} ended early. Check that the console is running, then try again.`,
    status: 0,
    code: 'unreachable',
    requestId: response.headers.get('x-request-id'),
    cause,
  })

/** What `read` takes from an answer that has begun. Fails as a question does that nothing answers. */
const readWhole = async <Body>(
  { path, signal }: Pick<ApiRequest, 'path' | 'signal'>,
  { response, read }: { response: Response; read: (response: Response) => Promise<Body> },
): Promise<Body> => {
  try {
    return await read(response)
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw brokenOff({ path, response, cause })
  }
}

const asText = (response: Response): Promise<string> => response.text()

/**
 * The body as the type that its schema describes. It is not checked: the server sends what the schemas say, and answers of
 * another build are refused before.
 */
const parseBody = <Body>(text: string, { path, response }: { path: string; response: Response }): Body => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unreadable({ path, response, cause })
  }
}

/** The last answer of each address, because the browser stores none (`no-store`). */
const held = new Map<string, { etag: string; text: string }>()
const MAX_HELD = 50

const hold = (path: string, etag: string, text: string): void => {
  held.delete(path)
  held.set(path, { etag, text })
  const [oldest] = held.keys()
  if (held.size > MAX_HELD && oldest !== undefined) held.delete(oldest)
}

/**
 * One request whose answer has a body. `Body` is the type of the route's schema. A repeated request transfers only changed
 * answers. Fails with ApiError only (or the abort's own error).
 */
export const requestJson = async <Body>(request: ApiRequest): Promise<Body> => {
  const known = (request.method ?? 'GET') === 'GET' ? held.get(request.path) : undefined
  const response = await send(
    known === undefined
      ? request
      : { ...request, headers: { ...request.headers, 'if-none-match': known.etag } },
  )
  const { path } = request
  if (response.status === 304 && known !== undefined) return parseBody(known.text, { path, response })
  if (!response.ok) throw await failure(response)
  const text = await readWhole(request, { response, read: asText })
  const etag = response.headers.get('etag')
  if (etag !== null) hold(path, etag, text)
  return parseBody(text, { path, response })
}

/** A request without an answer body, such as a removal. */
export const requestNothing = async (request: ApiRequest): Promise<void> => {
  const response = await send(request)
  if (!response.ok) throw await failure(response)
}

type NewerRequest<Data> = ApiRequest & { known: Data | undefined; etag: string | undefined }

/** A 304 returns the same object. (An explicit If-None-Match makes fetch pass the 304 through.) */
const sendForNewer = async <Data>(
  { known, etag, ...request }: NewerRequest<Data>,
  read: (response: Response) => Promise<Data>,
): Promise<Data> => {
  const headers = known === undefined || etag === undefined ? {} : { 'if-none-match': etag }
  const response = await send({ ...request, headers })
  if (response.status === 304 && known !== undefined) return known
  if (!response.ok) throw await failure(response)
  return read(response)
}

/** Asks only for what is newer than `known`: what is unchanged is not parsed, compared or drawn again. */
export const requestNewer = <Body>(request: NewerRequest<Body>): Promise<Body> =>
  sendForNewer(request, async (response) => {
    const text = await readWhole(request, { response, read: asText })
    return parseBody<Body>(text, { path: request.path, response })
  })

/** The same, read from the answer's bytes by `read`; null: they have another form. */
export const requestNewerBytes = <Data>({
  read,
  ...request
}: NewerRequest<Data> & { read: (body: ArrayBuffer) => Promise<Data | null> }): Promise<Data> =>
  sendForNewer(request, async (response) => {
    const body = await readWhole(request, { response, read: (answer) => answer.arrayBuffer() })
    const data = await read(body)
    if (data === null) throw unreadable({ path: request.path, response, cause: null })
    return data
  })
