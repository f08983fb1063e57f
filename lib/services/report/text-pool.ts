/** Buffers for texts that come and go at a high rate: left to the collector they would make it run all the time. */
export type TextPool = {
  /** A buffer of at least this length, with whatever stood in it. */
  take: (length: number) => Buffer
  /** Nobody reads it any more. */
  give: (buffer: Buffer) => void
}

const STEP_BYTES = 8192
const MOST_SPARE = 32

export const createTextPool = (): TextPool => {
  const spare = new Map<number, Buffer[]>()
  return {
    take: (length) => {
      const size = Math.ceil(length / STEP_BYTES) * STEP_BYTES
      return spare.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size)
    },
    give: (buffer) => {
      const held = spare.get(buffer.length) ?? []
      if (held.length < MOST_SPARE) held.push(buffer)
      spare.set(buffer.length, held)
    },
  }
}
