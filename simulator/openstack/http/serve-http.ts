import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ApiAnswer, ApiRequest, ServiceName } from './api-request'
import { meetFault, type ServiceFaults } from './faults'

/** One service behind a path prefix of the origin. `answer` words its own errors. */
export type HttpService = {
  /** `controls` is not OpenStack's: no fault reaches it. */
  name: ServiceName | 'controls'
  prefix: string
  answer: (request: ApiRequest) => ApiAnswer
  /** The body of a request that is no JSON. */
  malformed: (request: ApiRequest) => ApiAnswer
}

export type RunningHttp = { origin: string; stop: () => Promise<void> }

const MAX_BODY_BYTES = 4 * 1024 * 1024

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error(`the body is larger than ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const send = (response: ServerResponse, answer: ApiAnswer, requestId: string): void => {
  const headers: Record<string, string> = { 'x-openstack-request-id': requestId, ...answer.headers }
  const isEmpty = answer.body === undefined && answer.html === undefined
  const text = answer.html ?? (isEmpty ? '' : JSON.stringify(answer.body))
  if (!isEmpty) headers['content-type'] = answer.html === undefined ? 'application/json' : 'text/html'
  headers['content-length'] = String(Buffer.byteLength(text))
  response.writeHead(answer.status, headers).end(text)
}

const parseJson = (text: string): { isJson: boolean; body: unknown } => {
  if (text === '') return { isJson: true, body: undefined }
  try {
    return { isJson: true, body: JSON.parse(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return { isJson: false, body: undefined }
    throw error
  }
}

const requestFor = async (
  incoming: IncomingMessage,
  { service, url, requestId, origin }: { service: HttpService; url: URL; requestId: string; origin: string },
): Promise<{ request: ApiRequest; isJson: boolean }> => {
  const { isJson, body } = parseJson(await readBody(incoming))
  const request: ApiRequest = {
    method: incoming.method ?? 'GET',
    path: url.pathname.slice(service.prefix.length) || '/',
    query: url.searchParams,
    headers: incoming.headers,
    body,
    requestId,
    origin,
  }
  return { request, isJson }
}

/** Serves on the loopback; port 0 takes a free one. */
export const serveHttp = async (options: {
  services: HttpService[]
  port: number
  faults: ServiceFaults
  onRequest: (service: ServiceName, line: string) => void
  /** The cloud's clock, which its answers are dated by. */
  now: () => Date
}): Promise<RunningHttp> => {
  const serviceFor = (path: string): HttpService | undefined =>
    options.services.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
  let origin = ''

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader('date', options.now().toUTCString())
    const url = new URL(incoming.url ?? '/', origin)
    const service = serviceFor(url.pathname)
    const requestId = `req-${randomUUID()}`
    if (service === undefined) {
      send(response, { status: 404, html: '<h1>Not Found</h1>' }, requestId)
      return
    }
    const { name } = service
    if (name !== 'controls') options.onRequest(name, `${incoming.method} ${url.pathname}${url.search}`)
    const { request, isJson } = await requestFor(incoming, { service, url, requestId, origin })
    const fault = name === 'controls' ? null : await meetFault(options.faults, name, url.pathname)
    if (fault === 'hang-up') incoming.socket.destroy()
    else if (fault !== null) send(response, fault, requestId)
    else send(response, isJson ? service.answer(request) : service.malformed(request), requestId)
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      console.error(`simulated OpenStack: ${incoming.method} ${incoming.url}: ${String(error)}`)
      if (response.headersSent) response.destroy()
      else send(response, { status: 500, html: '<h1>Internal Server Error</h1>' }, 'req-unknown')
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  // A TCP server that listens has an address with a port.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
