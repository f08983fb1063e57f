import http from 'node:http'
import https from 'node:https'

/** No answer of the console is longer, with all the commands that it may hold; more is cut off and then fails to parse. */
const MAX_ANSWER_BYTES = 2_097_152

type HttpRequest = {
  /** Path below the console's address. */
  path: string
  headers: Record<string, string>
  /** Null sends no body at all, not an empty one. */
  body: Buffer | null
  signal?: AbortSignal | undefined
}

export type HttpResponse = { status: number; headers: http.IncomingHttpHeaders; text: string }

export type HttpClient = {
  post: (request: HttpRequest) => Promise<HttpResponse>
  close: () => void
}

export type HttpClientOptions = {
  serverUrl: URL
  /** PEM text that replaces the system's certificate authorities. */
  ca?: string | undefined
  /** From the start of a request to the end of its answer. */
  timeoutMs: number
}

/** POSTs to one console over one kept-alive connection. Follows no redirect: the credential goes to this address only. */
export const createHttpClient = ({ serverUrl, ca, timeoutMs }: HttpClientOptions): HttpClient => {
  const isTls = serverUrl.protocol === 'https:'
  const agentOptions = { keepAlive: true, maxSockets: 1, ...(ca === undefined ? {} : { ca }) }
  const agent = isTls ? new https.Agent(agentOptions) : new http.Agent(agentOptions)
  const base = serverUrl.pathname.replace(/\/+$/, '')

  const attempt = ({ path, headers, body, signal }: HttpRequest): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      const req = (isTls ? https : http).request({
        agent,
        method: 'POST',
        hostname: serverUrl.hostname.replace(/^\[|\]$/g, ''),
        port: serverUrl.port === '' ? undefined : serverUrl.port,
        path: `${base}${path}`,
        headers: { ...headers, 'content-length': String(body?.length ?? 0) },
        ...(signal === undefined ? {} : { signal }),
      })
      // In HTTP/1.1 a connection is kept without it, and it would be a tenth of each heartbeat.
      req.removeHeader('connection')
      const timer = setTimeout(
        () => req.destroy(new Error(`no answer within ${Math.round(timeoutMs / 1000)} s`)),
        timeoutMs,
      )
      const fail = (error: Error) => {
        clearTimeout(timer)
        reject(Object.assign(error, { isStaleConnection: req.reusedSocket && isReset(error) }))
      }
      req.on('error', fail)
      req.on('response', (res) => {
        const chunks: Buffer[] = []
        let length = 0
        res.on('data', (chunk: Buffer) => {
          length += chunk.length
          if (length <= MAX_ANSWER_BYTES) chunks.push(chunk)
          else res.destroy(new Error('the answer is too long'))
        })
        res.on('error', fail)
        res.on('end', () => {
          clearTimeout(timer)
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          })
        })
      })
      req.end(body ?? undefined)
    })

  // A server may close an idle connection in the very moment that we use it. Everything that goes over a used connection
  // carries a position, so sending it again changes nothing.
  const post = (request: HttpRequest) =>
    attempt(request).catch((error: unknown) => {
      if (isStale(error)) return attempt(request)
      throw error
    })

  return { post, close: () => agent.destroy() }
}

const isReset = (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET' || error.code === 'EPIPE'

const isStale = (error: unknown) =>
  error instanceof Error && 'isStaleConnection' in error && error.isStaleConnection === true
