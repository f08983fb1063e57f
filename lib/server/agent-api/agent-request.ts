import 'server-only'
import type { IncomingMessage } from 'node:http'
import { DIFFERENCE_TYPE, REPORT_LIMITS } from '@/lib/schemas/agent/report'
import { AgentError } from '@/lib/server/errors/agent-error'
import { freeAtOnce } from './free-at-once'
import { type Inflate, SMALL_BYTES, unpackedBytes } from './inflate'
import { type MemoryBudget, readBody } from './read-body'

export type BodyLimits = { timeoutMs: number; budget: MemoryBudget }

/** The limits of one agent's bodies. */
export type AgentBodyLimits = BodyLimits & {
  hostId: number
  inflate: Inflate
  /** Takes so many unpacked bytes from what the host may send, or refuses them as `rate_limited`. */
  charge: (bytes: number) => void
}

/** A report's body. `gzipped`: as it arrived; null: it arrived without compression. */
export type ReportBody = { gzipped: Buffer | null; unpack: () => Promise<Buffer> | Buffer }

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

/**
 * Agents of the release before send a report as a difference when they know what the console stored last. To this answer they
 * send the whole report at once, and the acknowledgement of that keeps them from sending further differences.
 */
const refuseDifference = (req: IncomingMessage): void => {
  if (req.headers['content-type'] !== DIFFERENCE_TYPE) return
  throw new AgentError('conflict', 'This console takes whole reports only. Send the full report.', {
    field: 'base',
  })
}

/**
 * Reads a report within the contract's limits on both sizes. It is charged by its size before it is unpacked. A small one is
 * unpacked when it is its turn, so that those that wait hold a tenth of the memory.
 */
export const readReportBody = async (req: IncomingMessage, limits: AgentBodyLimits): Promise<ReportBody> => {
  refuseDifference(req)
  checkJsonType(req)
  const { timeoutMs, budget, charge } = limits
  if (encodingOf(req) === 'gzip') return readGzip(req, limits)
  return readBody(req, { timeoutMs, budget, maxBytes: REPORT_LIMITS.uncompressedBytes }, (json) => {
    charge(json.length)
    return { gzipped: null, unpack: () => json }
  })
}

const readGzip = async (
  req: IncomingMessage,
  { timeoutMs, budget, charge, inflate, hostId }: AgentBodyLimits,
): Promise<ReportBody> => {
  const limits = { timeoutMs, budget, maxBytes: REPORT_LIMITS.compressedBytes }
  const { gzipped, namedBytes } = await readBody(req, limits, (body) => {
    const bytes = unpackedBytes(body, REPORT_LIMITS.uncompressedBytes)
    charge(bytes)
    return { gzipped: body, namedBytes: bytes }
  })
  const unpack = () => inflate(gzipped, { namedBytes, hostId })
  if (namedBytes <= SMALL_BYTES) return { gzipped, unpack }
  const json = await unpack()
  return { gzipped, unpack: () => json }
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
  const { unpack } = await readReportBody(req, limits)
  return parseJson(await unpack())
}

/** The JSON of a small body that comes without compression. */
export const readPlainJson = async (
  req: IncomingMessage,
  limits: BodyLimits,
  maxBytes: number,
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
  return readBody(req, { ...limits, maxBytes }, parseJson)
}

/** A header's one value; null when it is absent. */
export const headerOf = (req: IncomingMessage, name: string): string | null => {
  const value = req.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}
