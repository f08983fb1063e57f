import 'server-only'

const { port1: nowhere } = new MessageChannel()
nowhere.close()

/**
 * Frees the memory of a large buffer now: V8 frees it at its next collection, and keeps tens of megabytes of such buffers
 * until then. A message to a closed port is dropped together with the transferred buffer. No other code may use the
 * bytes; those of Node's pool are not freed.
 */
export const freeAtOnce = ({ buffer }: Buffer): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize)
    nowhere.postMessage(null, [buffer])
}

/** The result of `work` on the bytes, which are freed if it refuses them. */
export const freeingRefused = <T>(bytes: Buffer, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    freeAtOnce(bytes)
    throw error
  }
}
