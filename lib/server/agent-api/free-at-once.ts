import 'server-only'

const { port1: nowhere } = new MessageChannel()
nowhere.close()

/**
 * Gives the memory of a large buffer back now: V8 does so when it next collects, and lets tens of megabytes of such buffers
 * lie until then. What is posted to a closed port is dropped with all that it was handed. The bytes must be held by nobody
 * else; those of Node's pool stay as they are.
 */
export const freeAtOnce = ({ buffer }: Buffer): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize)
    nowhere.postMessage(null, [buffer])
}

/** What `work` makes of the bytes, which are given back where it refuses them. */
export const freeingRefused = <T>(bytes: Buffer, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    freeAtOnce(bytes)
    throw error
  }
}
