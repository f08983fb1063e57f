import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import {
  AGENT_PATHS,
  comparePositions,
  enrollRequestSchema,
  formatPosition,
  HEARTBEAT_HEADERS,
  type Position,
  parsePosition,
  REPORT_HEADERS,
} from '@/lib/schemas/agent/report'
import { type Report, reportSchema } from '@/lib/schemas/agent/whole-report'

type Reply = { status: number; body?: unknown; headers?: Record<string, string> }
type Exchange = {
  kind: 'enroll' | 'report' | 'heartbeat'
  position: string
  /** 0: not answered. */
  status: number
  /** Bytes on the wire, request line and headers included. */
  bytes: number
  /** The watched time that it reports; null: none. */
  watched: string | null
  /** Milliseconds by the monotonic clock. */
  at: number
}

type Enrolled = {
  hostName: string
  newest: Position | null
  digest: string | null
  isRevoked: boolean
}

/** A console of one host's size that keeps to the contract, in memory, for the agent's own tests. */
export type LoopbackConsole = {
  url: () => string
  /** Join tokens that may be used. */
  tokens: Set<string>
  hosts: Map<string, Enrolled>
  /** Reports that were applied, in the order in which they were. */
  applied: Report[]
  exchanges: Exchange[]
  /** Takes the place of the console: a reply; `hang`: no answer at all; `cut-after`: done, but the answer is lost. */
  intercept: ((kind: Exchange['kind'], position: string) => Reply | 'hang' | 'cut-after' | null) | null
  intervalSeconds: number
  stop: () => Promise<void>
  /** Listens at the same port again. */
  start: () => Promise<void>
}

const NEVER: Position = { boot: 0, sequence: 0 } as Position
const refuse = (status: number, message: string): Reply => ({
  status,
  body: { error: { code: 'test', message, requestId: 'r' } },
})

export const createLoopbackConsole = async (): Promise<LoopbackConsole> => {
  const hosts = new Map<string, Enrolled>()
  let server: Server
  let port = 0

  const acknowledge = (host: Enrolled, position: Position, apply: () => void): Reply => {
    const isApplied = comparePositions(position, host.newest ?? NEVER) > 0
    if (isApplied) {
      host.newest = position
      apply()
    }
    return {
      status: 200,
      body: { isApplied, newest: host.newest, intervalSeconds: self.intervalSeconds },
    }
  }

  const enroll = (secret: string, body: Buffer): Reply => {
    if (!self.tokens.has(secret)) return refuse(401, 'The join token is not known.')
    const { hostName } = enrollRequestSchema.parse(JSON.parse(body.toString()))
    const credential = `sbac_${hosts.size + 1}_${'s'.repeat(43)}`
    for (const host of hosts.values()) if (host.hostName === hostName) host.isRevoked = true
    hosts.set(credential, { hostName, newest: null, digest: null, isRevoked: false })
    return { status: 201, body: { hostName, cloud: 'default', credential, intervalSeconds: 30 } }
  }

  const report = (host: Enrolled, body: Buffer): Reply => {
    const parsed = reportSchema.parse(JSON.parse(gunzipSync(body).toString()))
    if (parsed.digest !== inventoryDigest(parsed.inventory)) return refuse(422, 'The digest does not fit.')
    if (parsed.inventory.host.name !== host.hostName) return refuse(403, 'That is another host.')
    return acknowledge(host, parsed.position, () => {
      host.digest = parsed.digest
      self.applied.push(parsed)
    })
  }

  const heartbeat = (host: Enrolled, req: IncomingMessage): Reply => {
    const position = parsePosition(String(req.headers[HEARTBEAT_HEADERS.position]))
    if (position === null) return refuse(400, 'The position is missing.')
    if (req.headers[HEARTBEAT_HEADERS.digest] !== host.digest) return refuse(409, 'Send the full report.')
    return acknowledge(host, position, () => undefined)
  }

  const handle = (kind: Exchange['kind'], req: IncomingMessage, body: Buffer): Reply => {
    const secret = req.headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (kind === 'enroll') return enroll(secret, body)
    const host = hosts.get(secret)
    if (host === undefined || host.isRevoked) return refuse(401, 'The credential was revoked.')
    return kind === 'report' ? report(host, body) : heartbeat(host, req)
  }

  const serve = (req: IncomingMessage, res: ServerResponse, body: Buffer, bytes: number) => {
    const kind = kindOf(req)
    const position = kind === 'enroll' ? '' : positionOf(req, body)
    const instead = self.intercept?.(kind, position) ?? null
    const isReply = instead !== null && typeof instead === 'object'
    const reply = isReply ? instead : instead === 'hang' ? { status: 0 } : handle(kind, req, body)
    self.exchanges.push({
      kind,
      position,
      status: instead === 'cut-after' ? 0 : reply.status,
      bytes,
      watched: req.headers[REPORT_HEADERS.watched]?.toString() ?? null,
      at: performance.now(),
    })
    if (instead === 'hang') return
    if (instead === 'cut-after') {
      req.socket.destroy()
      return
    }
    res.writeHead(reply.status, reply.headers ?? {}).end(JSON.stringify(reply.body ?? {}))
  }

  const start = async () => {
    const readBefore = new WeakMap<object, number>()
    server = createServer((req, res) => {
      const chunks: Buffer[] = []
      req.on('data', (chunk: Buffer) => chunks.push(chunk))
      req.on('end', () => {
        const bytes = req.socket.bytesRead - (readBefore.get(req.socket) ?? 0)
        readBefore.set(req.socket, req.socket.bytesRead)
        serve(req, res, Buffer.concat(chunks), bytes)
      })
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }

  const self: LoopbackConsole = {
    url: () => `http://127.0.0.1:${port}`,
    tokens: new Set(['sbjt_1_token']),
    hosts,
    applied: [],
    exchanges: [],
    intercept: null,
    intervalSeconds: 1,
    start,
    stop: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
  await start()
  return self
}

const kindOf = (req: IncomingMessage): Exchange['kind'] => {
  if (req.url === AGENT_PATHS.enroll) return 'enroll'
  return req.url === AGENT_PATHS.reports ? 'report' : 'heartbeat'
}

const positionOf = (req: IncomingMessage, body: Buffer): string => {
  const header = req.headers[HEARTBEAT_HEADERS.position]
  if (header !== undefined) return String(header)
  return formatPosition(JSON.parse(gunzipSync(body).toString()).position)
}
