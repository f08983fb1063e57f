import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, vi } from 'vitest'

type Answer = (req: IncomingMessage, res: ServerResponse) => void

/** A real HTTP server that lib/api talks to, since outside a browser no address is relative. */
export const createApiServer = () => {
  let answer: Answer = (_req, res) => res.writeHead(404).end()
  const server = createServer((req, res) => answer(req, res))
  const realFetch = globalThis.fetch
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const base = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
    const fetchHere: typeof fetch = (input, init) => realFetch(new URL(String(input), base), init)
    vi.stubGlobal('fetch', fetchHere)
  })
  afterAll(() => {
    vi.unstubAllGlobals()
    server.close()
    server.closeAllConnections()
  })
  return {
    answerWith: (next: Answer): void => {
      answer = next
    },
  }
}

export const sendJson = (
  res: ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): void => {
  res.writeHead(status, { 'content-type': 'application/json', ...headers })
  res.end(JSON.stringify(body))
}
