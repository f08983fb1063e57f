import 'server-only'
import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import { AgentError } from './agent-error'

const gunzipInBackground = promisify(gunzip)

/** Up to this size inflating takes less time here than handing it to another thread. */
const SMALL_BYTES = 262_144

/** A report of 8 pGPUs comes out in one piece: 38 us instead of 51 with zlib's 16 kB. */
const CHUNK_BYTES = 32_768

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

const refusal = (error: unknown, mostBytes: number): AgentError => {
  if (isTooLarge(error)) {
    return new AgentError(
      'too_large_uncompressed',
      `The report has more than ${mostBytes} bytes when unpacked, but at most that many are taken. Check what the agent found on this host.`,
    )
  }
  const reason = error instanceof Error ? error.message : 'it cannot be read'
  return new AgentError('broken_gzip', `The body is not gzip: ${reason}.`, { cause: error })
}

/** Unpacks gzip piece by piece and stops at the limit, so a small body cannot fill the memory. */
export const inflate = async (bytes: Buffer, mostBytes: number): Promise<Buffer> => {
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.min(SMALL_BYTES, mostBytes), chunkSize: CHUNK_BYTES })
  } catch (error) {
    if (!isTooLarge(error) || mostBytes <= SMALL_BYTES) throw refusal(error, mostBytes)
  }
  try {
    return await gunzipInBackground(bytes, { maxOutputLength: mostBytes })
  } catch (error) {
    throw refusal(error, mostBytes)
  }
}
