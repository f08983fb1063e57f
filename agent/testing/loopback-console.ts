import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { applyEdits, DIFFERENCE_TYPE, differenceSchema, editedLength } from '@/lib/schemas/agent/difference'
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
  kind: 'enroll' | 'report' | 'difference' | 'heartbeat'
  position: string
  /** 0: not answered. */
  status: number
  /** Bytes on the wire, request line and headers included. */
  bytes: number
  /** What it says of how long the host was watched; null: nothing. */
  watched: string | null
  /** Milliseconds by the monotonic clock. */
  at: number
}

type Enrolled = {
  hostName: string
  newest: Position | null
  digest: string | null
  /** Canonical JSON of the last inventory. */
  text: Buffer
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
  /** Takes the place of the console: a reply; `hang`: no answer ever; `cut-after`: done, but the answer is lost. */
  intercept: ((kind: Exchange['kind'], position: string) => Reply | 'hang' | 'cut-after' | null) | null
  intervalSeconds: number
  /** `says so`: it asks for differences and then takes none, as one that has lost the base. */
  takesDifferences: 'yes' | 'no' | 'says so'
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
      body: {
        isApplied,
        newest: host.newest,
        intervalSeconds: self.intervalSeconds,
        ...(self.takesDifferences === 'no' ? {} : { takesDifferences: true }),
      },
    }
  }

  const enroll = (secret: string, body: Buffer): Reply => {
    if (!self.tokens.has(secret)) return refuse(401, 'The join token is not known.')
    const { hostName } = enrollRequestSchema.parse(JSON.parse(body.toString()))
    const credential = `sbac_${hosts.size + 1}_${'s'.repeat(43)}`
    for (const host of hosts.values()) if (host.hostName === hostName) host.isRevoked = true
    hosts.set(credential, { hostName, newest: null, digest: null, text: Buffer.alloc(0), isRevoked: false })
    return { status: 201, body: { hostName, cloud: 'default', credential, intervalSeconds: 30 } }
  }

  const report = (host: Enrolled, body: Buffer): Reply => {
    const json = unpacked(body)
    return take(host, reportSchema.parse(JSON.parse(json.toString())), textOf(json))
  }

  const difference = (host: Enrolled, body: Buffer): Reply => {
    if (self.takesDifferences === 'no') return refuse(415, 'The content-type must be application/json.')
    const { base, edits, ...head } = differenceSchema.parse(JSON.parse(unpacked(body).toString()))
    if (base !== host.digest || self.takesDifferences === 'says so') return refuse(409, 'Send it whole.')
    const text = Buffer.alloc(editedLength(host.text.length, edits) ?? 0)
    applyEdits(host.text, edits, text)
    return take(host, reportSchema.parse({ ...head, inventory: JSON.parse(text.toString()) }), text)
  }

  const take = (host: Enrolled, parsed: Report, text: Buffer): Reply => {
    if (parsed.digest !== inventoryDigest(parsed.inventory)) return refuse(422, 'The digest does not fit.')
    if (parsed.inventory.host.name !== host.hostName) return refuse(403, 'That is another host.')
    return acknowledge(host, parsed.position, () => {
      host.digest = parsed.digest
      host.text = text
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
    if (kind === 'difference') return difference(host, body)
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
    takesDifferences: 'no',
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
  if (req.url !== AGENT_PATHS.reports) return 'heartbeat'
  return req.headers['content-type'] === DIFFERENCE_TYPE ? 'difference' : 'report'
}

/** A difference is sent plain while it is small. */
const unpacked = (body: Buffer): Buffer => (body[0] === 0x1f ? gunzipSync(body) : body)

const INVENTORY_KEY = '"inventory":'
const textOf = (json: Buffer): Buffer => json.subarray(json.indexOf(INVENTORY_KEY) + INVENTORY_KEY.length, -1)

const positionOf = (req: IncomingMessage, body: Buffer): string => {
  const header = req.headers[HEARTBEAT_HEADERS.position]
  if (header !== undefined) return String(header)
  return formatPosition(JSON.parse(unpacked(body).toString()).position)
}
