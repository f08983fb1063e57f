import { request } from 'node:http'
import { pino } from 'pino'
import { createAgentApi } from '@/lib/server/agent-api/agent-api'
import { type Runtime, setRuntime } from '@/lib/server/context/runtime'
import { createFleetApi } from '@/lib/server/front-api/fleet-api'
import { createHttpServer } from '@/lib/server/process/http-server'
import { listen } from '@/lib/server/process/listen'
import { closeHttpServer } from '@/lib/server/process/run-server'
import { createRouteHandler } from './route-handler'

export type Sent = { method: string; target: string; body: string | null }
export type Answered = { status: number; location: string | undefined; text: string }

/** The whole API of the console on a separate port, without pages. */
export const openApiServer = async (runtime: Runtime) => {
  setRuntime(runtime)
  const routes = await createRouteHandler()
  const http = createHttpServer({ isDevelopment: false, log: pino({ level: 'silent' }) })
  const port = await listen({ server: http.server, host: '127.0.0.1', port: 0 })
  const [agents, fleet] = [createAgentApi(runtime), createFleetApi(runtime)]
  http.serve(async (req, res) => {
    if (agents(req, res) || (await fleet(req, res))) return
    await routes(req, res)
  })
  const send = ({ method, target, body }: Sent): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const headers = body === null ? {} : { 'content-type': 'application/json' }
      const req = request({ host: '127.0.0.1', port, method, path: target, headers }, (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: res.statusCode ?? 0, location: res.headers.location, text })
        })
      })
      req.on('error', reject).end(body ?? undefined)
    })
  return { send, close: () => closeHttpServer(http) }
}
