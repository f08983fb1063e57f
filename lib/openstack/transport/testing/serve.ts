import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'

export type SeenRequest = {
  method: string
  /** Path and query. */
  url: string
  headers: http.IncomingHttpHeaders
  body: string
  /** The client's port, one per connection. */
  port: number
  at: number
}

/** An object is sent as JSON, a text unchanged; `drop` closes the connection without an answer. */
export type ServedAnswer =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  | 'drop'
  | 'hang'

export type Served = { origin: string; seen: SeenRequest[]; stop: () => Promise<void> }
export type Answerer = (request: SeenRequest, count: number) => ServedAnswer

type Tls = { cert: string; key: string }

const readBody = async (req: http.IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** A real HTTP server on a port of 127.0.0.1 that remembers what it was asked. */
export const serve = async (answer: Answerer, tls?: Tls): Promise<Served> => {
  const seen: SeenRequest[] = []
  const listener: http.RequestListener = (req, res) => {
    void (async () => {
      const at = performance.now()
      const body = await readBody(req)
      const request = {
        method: req.method ?? '',
        url: req.url ?? '',
        headers: req.headers,
        body,
        port: req.socket.remotePort ?? 0,
        at,
      }
      seen.push(request)
      const given = answer(request, seen.length)
      if (given === 'hang') return
      if (given === 'drop') {
        req.socket.destroy()
        return
      }
      const text = typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? '')
      res.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers })
      res.end(given.body === undefined ? '' : text)
    })()
  }
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    seen,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
