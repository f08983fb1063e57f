import 'server-only'
import type { IncomingMessage } from 'node:http'
import { DIFFERENCE_TYPE } from '@/lib/schemas/agent/difference'
import { REPORT_LIMITS } from '@/lib/schemas/agent/report'
import type { ReportBytes } from '@/lib/services/report/take-reports'
import { AgentError } from './agent-error'
import { freeAtOnce } from './free-at-once'
import { type Inflate, unpackedBytes } from './inflate'
import { type MemoryBudget, readBody } from './read-body'

export type BodyLimits = { timeoutMs: number; budget: MemoryBudget }

/** The limits of one agent's bodies. */
export type AgentBodyLimits = BodyLimits & {
  hostId: number
  inflate: Inflate
  /** Takes so many unpacked bytes from what the host may send, or refuses them as `rate_limited`. */
  charge: (bytes: number) => void
}

const checkJsonType = (req: IncomingMessage): void => {
  const type = req.headers['content-type'] ?? ''
  if (/^application\/json\s*(;|$)/i.test(type)) return
  throw new AgentError(
    'unsupported_media_type',
    `The content-type is "${type}", but must be application/json.`,
    {
      field: 'content-type',
    },
  )
}

const encodingOf = (req: IncomingMessage): 'gzip' | 'identity' => {
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'gzip' || encoding === 'identity') return encoding
  throw new AgentError(
    'unsupported_encoding',
    `The content-encoding is "${encoding}", but must be gzip or absent.`,
    {
      field: 'content-encoding',
    },
  )
}

/** Reads a report within the contract's limits on both sizes. It is charged by its size before it is unpacked. */
export const readReportBytes = (req: IncomingMessage, limits: AgentBodyLimits): Promise<ReportBytes> => {
  const isDifference = req.headers['content-type'] === DIFFERENCE_TYPE
  if (!isDifference) checkJsonType(req)
  const { timeoutMs, budget, charge } = limits
  if (encodingOf(req) === 'gzip') return readGzip(req, limits, isDifference)
  return readBody(req, { timeoutMs, budget, mostBytes: REPORT_LIMITS.uncompressedBytes }, (json) => {
    charge(json.length)
    return { json, gzipped: null, isDifference }
  })
}

const readGzip = async (
  req: IncomingMessage,
  { timeoutMs, budget, charge, inflate, hostId }: AgentBodyLimits,
  isDifference: boolean,
): Promise<ReportBytes> => {
  const limits = { timeoutMs, budget, mostBytes: REPORT_LIMITS.compressedBytes }
  const { gzipped, told } = await readBody(req, limits, (body) => {
    const bytes = unpackedBytes(body, REPORT_LIMITS.uncompressedBytes)
    charge(bytes)
    return { gzipped: body, told: bytes }
  })
  return { json: await inflate(gzipped, { told, hostId }), gzipped, isDifference }
}

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new AgentError('broken_json', 'The body is not JSON.', { cause })
  } finally {
    freeAtOnce(bytes)
  }
}

/** The JSON of a body that may come as gzip, within the limits of a report. */
export const readJson = async (req: IncomingMessage, limits: AgentBodyLimits): Promise<unknown> => {
  checkJsonType(req)
  return parseJson((await readReportBytes(req, limits)).json)
}

/** The JSON of a small body that comes without compression. */
export const readPlainJson = async (
  req: IncomingMessage,
  limits: BodyLimits,
  mostBytes: number,
): Promise<unknown> => {
  checkJsonType(req)
  if (encodingOf(req) !== 'identity') {
    throw new AgentError(
      'unsupported_encoding',
      'The content-encoding is "gzip", but this must come plain.',
      {
        field: 'content-encoding',
      },
    )
  }
  return readBody(req, { ...limits, mostBytes }, parseJson)
}

/** A header's one value; null when it is absent. */
export const headerOf = (req: IncomingMessage, name: string): string | null => {
  const value = req.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}
