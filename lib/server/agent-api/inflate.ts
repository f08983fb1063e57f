import 'server-only'
import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import { AgentError } from './agent-error'

const gunzipInBackground = promisify(gunzip)

/** Up to this size inflating takes less time here than handing it to another thread. */
const SMALL_BYTES = 262_144

/** A report of 8 pGPUs comes out in one piece: 38 us instead of 51 with zlib's 16 kB. */
const CHUNK_BYTES = 32_768

/** Head and end of a member (RFC 1952); the last four bytes of the end are the size of what was packed. */
const LEAST_BYTES = 18
const SIZE_BYTES = 4
const MAGIC = Buffer.from([0x1f, 0x8b, 0x08])
/** deflate makes nothing smaller than by this (zlib's own technical details). */
const DENSEST = 1032

const broken = (reason: string, cause?: unknown): AgentError =>
  new AgentError('broken_gzip', `The body is not gzip: ${reason}.`, { cause })

/**
 * Bytes that a gzip body says it unpacks to, which is believed because `inflate` takes no other number. A body that cannot
 * be gzip, or that is larger than `mostBytes` by its own word, is refused before any of it is unpacked.
 */
export const unpackedBytes = (bytes: Buffer, mostBytes: number): number => {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw broken('it begins as something else')
  if (bytes.length < LEAST_BYTES) throw broken('it ends in the middle')
  const told = bytes.readUInt32LE(bytes.length - SIZE_BYTES)
  if (told <= mostBytes) return told
  if (told > bytes.length * DENSEST) throw broken('it ends in the middle, or says a size that it cannot have')
  throw new AgentError(
    'too_large_uncompressed',
    `The report has ${told} bytes when unpacked, but at most ${mostBytes} are taken. Check what the agent found on this host.`,
  )
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

const refusal = (error: unknown, told: number): AgentError => {
  if (isTooLarge(error)) return broken(`it holds more than the ${told} bytes that its end names`, error)
  return broken(error instanceof Error ? error.message : 'it cannot be read', error)
}

const checked = (json: Buffer, told: number): Buffer => {
  if (json.length === told) return json
  throw broken(`it holds ${json.length} bytes, and its end names ${told}`)
}

export type Inflate = (bytes: Buffer, input: { told: number; hostId: number }) => Promise<Buffer>

/**
 * Unpacks gzip bodies to exactly the size that they name. Large ones are unpacked one after the other, and of one host no
 * second one waits, so that the memory of many at once is that of one.
 */
export const createInflate = (): Inflate => {
  const hosts = new Set<number>()
  let last: Promise<unknown> = Promise.resolve()

  const inTurn = async (bytes: Buffer, told: number): Promise<Buffer> => {
    const turn = last.then(() => gunzipInBackground(bytes, { maxOutputLength: told, chunkSize: told + 1 }))
    last = turn.catch(() => undefined)
    return turn
  }

  return async (bytes, { told, hostId }) => {
    const isSmall = told <= SMALL_BYTES
    if (!isSmall && hosts.has(hostId)) {
      throw new AgentError(
        'rate_limited',
        'Another large report of this host is being unpacked. Send it again in 1 s.',
        { retryAfterSeconds: 1 },
      )
    }
    try {
      if (isSmall) {
        const limits = { maxOutputLength: Math.max(1, told), chunkSize: CHUNK_BYTES }
        return checked(gunzipSync(bytes, limits), told)
      }
      hosts.add(hostId)
      return checked(await inTurn(bytes, told), told)
    } catch (error) {
      throw error instanceof AgentError ? error : refusal(error, told)
    } finally {
      if (!isSmall) hosts.delete(hostId)
    }
  }
}
