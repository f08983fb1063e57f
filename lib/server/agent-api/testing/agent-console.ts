import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import {
  AGENT_PATHS,
  CONTRACT_VERSION,
  formatPosition,
  HEARTBEAT_HEADERS,
  type Position,
} from '@/lib/schemas/agent/report'
import { createJoinToken } from '@/lib/services/join-token/create-join-token'
import type { Database } from '../../database/database'
import { createTestContext } from '../../testing/test-database'
import { createTestRuntime } from '../../testing/test-runtime'
import { createAgentApi } from '../agent-api'

/** What tests name of the answers of all paths; a test that names what its answer lacks fails there. */
type AnswerBody = {
  error: { code: string; message: string; field?: string }
  isApplied: boolean
  credential: string
}

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  body: AnswerBody
}

type Sent = {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: Buffer | string | null
  /** Ends the request; false leaves it open. */
  isEnded?: boolean
}

const parse = (text: string): AnswerBody => {
  try {
    return JSON.parse(text) as AnswerBody
  } catch {
    // The answer is not JSON: each access to a member fails.
    return null as unknown as AnswerBody
  }
}

const sendTo = (port: number, { method = 'POST', path, headers = {}, body = null, isEnded = true }: Sent) =>
  new Promise<Answer>((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (res) => {
      let text = ''
      res.setEncoding('utf8')
      res.on('data', (chunk) => {
        text += chunk
      })
      res.on('end', () => {
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, body: parse(text) })
        if (!isEnded) req.destroy()
      })
    })
    req.on('error', reject)
    if (isEnded) req.end(body ?? undefined)
    else req.write(body ?? '')
  })

/** A report's JSON as an agent writes it, before compression. */
export const reportJson = ({
  inventory,
  position,
  takenAt = new Date(),
  ...changed
}: {
  inventory: Inventory
  position: Position
  takenAt?: Date
} & Record<string, unknown>): string =>
  JSON.stringify({
    contractVersion: CONTRACT_VERSION,
    agentVersion: '0.1.0',
    position,
    takenAt: takenAt.toISOString(),
    digest: inventoryDigest(inventory),
    droppedReports: 0,
    inventory,
    ...changed,
  })

/** The agents' side of a console on a loopback port. */
export const startAgentConsole = async ({
  database,
  now = () => new Date(),
  port: givenPort = 0,
  ...options
}: {
  database: Database
  now?: () => Date
  /** 0 lets the system choose. */
  port?: number
} & Parameters<typeof createAgentApi>[1]) => {
  const runtime = createTestRuntime({ database, now })
  const handle = createAgentApi(runtime, { refusalHeldMs: 0, ...options })
  const server = createServer(async (req, res) => {
    if (!(await handle(req, res))) res.writeHead(404).end('not ours')
  })
  await new Promise<void>((resolve) => server.listen(givenPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ctx = createTestContext({ database, now })
  const send = (sent: Sent) => sendTo(port, sent)

  const joinToken = async (changed: Record<string, unknown> = {}): Promise<string> => {
    const body = {
      cloud: 'lab',
      label: 'test',
      lifetimeMinutes: 60,
      maxUses: 100,
      hostName: null,
      ...changed,
    }
    return (await createJoinToken(ctx, { body, origin: 'http://console' })).token
  }
  const enroll = (
    token: string,
    changed: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) =>
    send({
      path: AGENT_PATHS.enroll,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ contractVersion: 1, hostName: 'cmp-01', agentVersion: '0.1.0', ...changed }),
    })

  return {
    port,
    runtime,
    ctx,
    send,
    joinToken,
    enroll,
    /** The credential of a newly enrolled host; with a new token, which also replaces a credential in use. */
    enrolled: async (hostName = 'cmp-01'): Promise<string> =>
      (await enroll(await joinToken({ hostName }), { hostName })).body.credential,
    report: (credential: string, json: string | Buffer, headers: Record<string, string> = {}) =>
      send({
        path: AGENT_PATHS.reports,
        headers: {
          authorization: `Bearer ${credential}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          ...headers,
        },
        body: headers['content-encoding'] === undefined ? gzipSync(json) : json,
      }),
    heartbeat: (credential: string, position: Position, digest: string) =>
      send({
        path: AGENT_PATHS.heartbeats,
        headers: {
          authorization: `Bearer ${credential}`,
          [HEARTBEAT_HEADERS.position]: formatPosition(position),
          [HEARTBEAT_HEADERS.digest]: digest,
        },
      }),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await runtime.stop()
    },
  }
}

export type AgentConsole = Awaited<ReturnType<typeof startAgentConsole>>
