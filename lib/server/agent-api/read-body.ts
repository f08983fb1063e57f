import 'server-only'
import type { IncomingMessage } from 'node:http'
import { AgentError } from '@/lib/server/errors/agent-error'
import { freeAtOnce, freeingRefused } from './free-at-once'

/** Bytes of bodies that all requests together may hold while they are read. */
export type MemoryBudget = { reserve: (bytes: number) => boolean; release: (bytes: number) => void }

export const createMemoryBudget = (maxBytes: number): MemoryBudget => {
  let held = 0
  return {
    reserve: (bytes) => {
      if (held + bytes > maxBytes) return false
      held += bytes
      return true
    },
    release: (bytes) => {
      held -= bytes
    },
  }
}

/** A part of a budget for each key, so that no one of them holds all of it. */
export const createBudgetShares = (
  whole: MemoryBudget,
  maxBytes: number,
): { of: (key: number) => MemoryBudget } => {
  const held = new Map<number, number>()
  return {
    of: (key) => ({
      reserve: (bytes) => {
        const before = held.get(key) ?? 0
        if (before + bytes > maxBytes || !whole.reserve(bytes)) return false
        held.set(key, before + bytes)
        return true
      },
      release: (bytes) => {
        const rest = (held.get(key) ?? 0) - bytes
        if (rest > 0) held.set(key, rest)
        else held.delete(key)
        whole.release(bytes)
      },
    }),
  }
}

type Limits = { maxBytes: number; timeoutMs: number; budget: MemoryBudget }

const tooLarge = (
  req: IncomingMessage,
  { maxBytes, declared }: { maxBytes: number; declared: number | null },
) => {
  const size = `The body has ${declared ?? `more than ${maxBytes}`} bytes`
  return req.headers['content-encoding'] !== 'gzip'
    ? new AgentError(
        'too_large_uncompressed',
        `${size}, but at most ${maxBytes} are taken as they come. Send it as gzip, as the agent does.`,
      )
    : new AgentError(
        'too_large_compressed',
        `${size}, but at most ${maxBytes} are taken. Check what the agent found on this host.`,
      )
}

const timedOut = (timeoutMs: number) =>
  new AgentError('body_timeout', `The body did not arrive within ${timeoutMs / 1000} s. Send it again.`)

const outOfMemory = () =>
  new AgentError('overloaded', 'Too many large bodies are being read at once. Send the report again later.', {
    retryAfterSeconds: 2,
  })

const cutOff = () =>
  new AgentError('invalid_request', 'The connection ended before the whole body had arrived.')

/**
 * What `take` makes of the whole body, as it came over the wire. Rejects as soon as a limit is passed; the rest is left unread. A
 * body that `take` refuses is given back.
 */
export const readBody = <T>(
  req: IncomingMessage,
  { maxBytes, timeoutMs, budget }: Limits,
  take: (body: Buffer) => T,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const declared = Number(req.headers['content-length'] ?? 0)
    if (declared > maxBytes) {
      reject(tooLarge(req, { maxBytes, declared }))
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    const finish = () => {
      clearTimeout(timer)
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
      budget.release(size)
    }
    const fail = (error: AgentError) => {
      finish()
      reject(error)
      chunks.forEach(freeAtOnce)
    }
    const onData = (chunk: Buffer) => {
      if (size + chunk.length > maxBytes) return fail(tooLarge(req, { maxBytes, declared: null }))
      if (!budget.reserve(chunk.length)) return fail(outOfMemory())
      size += chunk.length
      chunks.push(chunk)
    }
    const onEnd = () => {
      const [first] = chunks
      const isWhole = first !== undefined && chunks.length === 1
      const body = isWhole ? first : Buffer.concat(chunks)
      finish()
      if (!isWhole) chunks.forEach(freeAtOnce)
      try {
        resolve(freeingRefused(body, () => take(body)))
      } catch (error) {
        reject(error)
      }
    }
    const onClose = () => fail(cutOff())
    const timer = setTimeout(() => fail(timedOut(timeoutMs)), timeoutMs)
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })

/** Bytes and time spent on the rest of a refused body, so that the client reads our answer instead of a broken connection. */
const MAX_DRAINED_BYTES = 16_777_216
const DRAIN_MS = 5_000

/** Discards the rest of a refused body; a connection that sends for too long is closed. */
export const drainBody = (req: IncomingMessage): void => {
  if (req.complete || req.destroyed) return
  let drained = 0
  const cut = () => req.destroy()
  const timer = setTimeout(cut, DRAIN_MS)
  req.on('data', (chunk: Buffer) => {
    drained += chunk.length
    if (drained > MAX_DRAINED_BYTES) cut()
  })
  req.on('close', () => clearTimeout(timer)).on('error', cut)
  req.resume()
}
