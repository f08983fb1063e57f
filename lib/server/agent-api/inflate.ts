import 'server-only'
import { createGunzip, gunzipSync } from 'node:zlib'
import { AgentError } from '@/lib/server/errors/agent-error'
import { freeAtOnce } from './free-at-once'

/** Up to this size inflating takes less time here than handing it to another thread. */
export const SMALL_BYTES = 262_144

/** zlib's own least. */
const MIN_CHUNK_BYTES = 64
const LARGE_CHUNK_BYTES = 262_144

/** Of large bodies that wait for their turn, as they came. */
const MAX_WAITING_BYTES = 4_194_304

/** Head and end of a member (RFC 1952); the last four bytes of the end are the size of what was packed. */
const MIN_BYTES = 18
const SIZE_BYTES = 4
const MAGIC = Buffer.from([0x1f, 0x8b, 0x08])
/** deflate makes nothing smaller than by this (zlib's own technical details). */
const DENSEST = 1032

const broken = (reason: string, cause?: unknown): AgentError =>
  new AgentError('broken_gzip', `The body is not gzip: ${reason}.`, { cause })

/**
 * The unpacked size from the trailer of a gzip body, which is reliable because `inflate` accepts no other size. A body
 * that is not gzip, or whose trailer exceeds `maxBytes`, is refused before any of it is unpacked.
 */
export const unpackedBytes = (bytes: Buffer, maxBytes: number): number => {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw broken('it begins as something else')
  if (bytes.length < MIN_BYTES) throw broken('it ends in the middle')
  const namedBytes = bytes.readUInt32LE(bytes.length - SIZE_BYTES)
  if (namedBytes <= maxBytes) return namedBytes
  if (namedBytes > bytes.length * DENSEST) throw broken('it ends early, or its stated size is impossible')
  throw new AgentError(
    'too_large_uncompressed',
    `The report has ${namedBytes} bytes when unpacked, but at most ${maxBytes} are taken. Check what the agent found on this host.`,
  )
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

const holdsMore = (namedBytes: number, cause?: unknown): AgentError =>
  broken(`it holds more than the ${namedBytes} bytes that its end names`, cause)

const refusal = (error: unknown, namedBytes: number): AgentError => {
  if (isTooLarge(error)) return holdsMore(namedBytes, error)
  return broken(error instanceof Error ? error.message : 'it cannot be read', error)
}

/** Piece by piece in another thread: a body that exceeds its stated size leaves no memory behind. */
const unpackLarge = (bytes: Buffer, namedBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const unpacked = Buffer.allocUnsafeSlow(namedBytes)
    const pieces = createGunzip({ chunkSize: LARGE_CHUNK_BYTES })
    let size = 0
    const fail = (error: Error) => {
      // The other thread may still read the bytes: they are left to V8.
      pieces.removeAllListeners('data').destroy()
      freeAtOnce(unpacked)
      reject(error)
    }
    pieces.on('data', (piece: Buffer) => {
      if (size + piece.length > namedBytes) return fail(holdsMore(namedBytes))
      size += piece.copy(unpacked, size)
      // A piece that fills its buffer was the last one in it.
      if (piece.length === piece.buffer.byteLength) freeAtOnce(piece)
    })
    pieces.on('error', fail).on('end', () => resolve(unpacked.subarray(0, size)))
    pieces.end(bytes)
  })

const checked = (json: Buffer, namedBytes: number): Buffer => {
  if (json.length === namedBytes) return json
  throw broken(`it holds ${json.length} bytes, and its end names ${namedBytes}`)
}

export type Inflate = (bytes: Buffer, input: { namedBytes: number; hostId: number }) => Promise<Buffer>

const laterBecause = (code: 'rate_limited' | 'overloaded', why: string): AgentError =>
  new AgentError(code, `${why} Send it again in 1 s.`, { retryAfterSeconds: 1 })

/**
 * Unpacks gzip bodies to exactly the size that they name. Large ones are unpacked one after the other, of one host no second
 * one waits, and all that wait are bounded, so that the memory of many at once is that of one.
 */
export const createInflate = (maxWaitingBytes = MAX_WAITING_BYTES): Inflate => {
  const hosts = new Set<number>()
  let waitingBytes = 0
  let last: Promise<unknown> = Promise.resolve()

  const inTurn = async (bytes: Buffer, namedBytes: number): Promise<Buffer> => {
    const turn = last.then(() => unpackLarge(bytes, namedBytes))
    last = turn.catch(() => undefined)
    return turn
  }

  const unpackInTurn = async (bytes: Buffer, namedBytes: number, hostId: number): Promise<Buffer> => {
    if (hosts.has(hostId))
      throw laterBecause('rate_limited', 'Another large report of this host is being unpacked.')
    if (waitingBytes > 0 && waitingBytes + bytes.length > maxWaitingBytes) {
      freeAtOnce(bytes)
      throw laterBecause('overloaded', 'Too many large reports wait to be unpacked.')
    }
    hosts.add(hostId)
    waitingBytes += bytes.length
    try {
      return checked(await inTurn(bytes, namedBytes), namedBytes)
    } finally {
      hosts.delete(hostId)
      waitingBytes -= bytes.length
    }
  }

  const unpackHere = (bytes: Buffer, namedBytes: number): Buffer => {
    // One buffer of just what comes out: nothing is put together from pieces.
    const chunkSize = Math.max(MIN_CHUNK_BYTES, namedBytes + 1)
    return checked(gunzipSync(bytes, { maxOutputLength: Math.max(1, namedBytes), chunkSize }), namedBytes)
  }

  return async (bytes, { namedBytes, hostId }) => {
    try {
      return namedBytes > SMALL_BYTES
        ? await unpackInTurn(bytes, namedBytes, hostId)
        : unpackHere(bytes, namedBytes)
    } catch (error) {
      throw error instanceof AgentError ? error : refusal(error, namedBytes)
    }
  }
}
