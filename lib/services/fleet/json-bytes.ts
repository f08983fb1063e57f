import { UNKNOWN } from './card-table'

const MINUS = 0x2d
const COMMA = 0x2c
const ZERO = 0x30
const NULL = [0x6e, 0x75, 0x6c, 0x6c] as const
/** "-2147483647" and a comma. */
const MOST_BYTES_PER_INTEGER = 12

/**
 * Builds a JSON text as bytes. Integers are written without an intermediate string: 80,000 x 16 of them take 12 ms
 * instead of 50.
 */
export type JsonBytes = {
  text(part: string): void
  /** `[1,null,3]` from integers in which UNKNOWN represents null. */
  integers(values: Int32Array): void
  finish(): Buffer
}

export const createJsonBytes = (expectedBytes: number): JsonBytes => {
  let bytes = Buffer.allocUnsafe(Math.max(expectedBytes, 1024))
  let end = 0

  const makeRoom = (more: number): void => {
    if (end + more <= bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, end + more))
    bytes.copy(larger, 0, 0, end)
    bytes = larger
  }

  const writeInteger = (value: number): void => {
    let rest = value
    if (rest < 0) {
      bytes[end++] = MINUS
      rest = -rest
    }
    let digits = 1
    for (let bound = 10; rest >= bound; bound *= 10) digits++
    for (let place = end + digits - 1; place >= end; place--) {
      const tenth = Math.trunc(rest / 10)
      bytes[place] = ZERO + (rest - tenth * 10)
      rest = tenth
    }
    end += digits
  }

  return {
    text: (part) => {
      makeRoom(part.length * 3)
      end += bytes.write(part, end)
    },
    integers: (values) => {
      makeRoom(values.length * MOST_BYTES_PER_INTEGER + 2)
      bytes[end++] = 0x5b
      for (let index = 0; index < values.length; index++) {
        if (index > 0) bytes[end++] = COMMA
        const value = values[index] ?? UNKNOWN
        if (value === UNKNOWN) for (const byte of NULL) bytes[end++] = byte
        else writeInteger(value)
      }
      bytes[end++] = 0x5d
    },
    finish: () => bytes.subarray(0, end),
  }
}
