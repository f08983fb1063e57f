/** The signs of numbers as their last bit: small ones of either sign become short. */
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

/** The longest code of a number of 53 bits. */
const MAX_BYTES = 8

/**
 * Whole numbers as bytes. A run of zeros is a 0 and its length, any other number its zigzag code: what does not move costs next
 * to nothing.
 */
export const pack = (values: ArrayLike<number>): Uint8Array => {
  const bytes = new Uint8Array(values.length * MAX_BYTES + 2 * MAX_BYTES)
  let length = 0
  const push = (value: number): void => {
    let rest = value
    while (rest >= 128) {
      bytes[length++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    bytes[length++] = rest
  }
  for (let index = 0; index < values.length; ) {
    const value = values[index] ?? 0
    let run = 1
    if (value === 0) while (values[index + run] === 0) run += 1
    push(zigzag(value))
    if (value === 0) push(run)
    index += run
  }
  return bytes.slice(0, length)
}

/** What was packed goes to `set`, place by place, but for its zeros; answers how many numbers there were. */
const eachPacked = (bytes: Uint8Array, set: (index: number, value: number) => void): number => {
  let at = 0
  const readVarint = (): number => {
    const first = bytes[at++] ?? 0
    if (first < 128) return first
    let value = first - 128
    for (let unit = 128; ; unit *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte % 128) * unit
      if (byte < 128) return value
    }
  }
  let index = 0
  while (at < bytes.length) {
    const value = unzigzag(readVarint())
    if (value === 0) index += readVarint()
    else set(index++, value)
  }
  return index
}

/** Puts what `pack` was given into `values`, which is all 0; what lies past its end is left out. */
export const unpackInto = (bytes: Uint8Array, values: Float64Array): void => {
  const end = bytes.length
  let index = 0
  for (let at = 0; at < end; ) {
    let byte = bytes[at++] ?? 0
    let value = byte % 128
    for (let unit = 128; byte >= 128; unit *= 128) {
      byte = bytes[at++] ?? 0
      value += (byte % 128) * unit
    }
    if (value !== 0) {
      values[index++] = unzigzag(value)
      continue
    }
    byte = bytes[at++] ?? 0
    let run = byte % 128
    for (let unit = 128; byte >= 128; unit *= 128) {
      byte = bytes[at++] ?? 0
      run += (byte % 128) * unit
    }
    index += run
  }
}

/** What `pack` was given, in `length` places: those that the bytes do not reach stay 0. */
export const unpackBounded = (bytes: Uint8Array, length: number): Float64Array => {
  const values = new Float64Array(length)
  unpackInto(bytes, values)
  return values
}

/** What `pack` was given. */
export const unpack = (bytes: Uint8Array): number[] => {
  const values: number[] = []
  const count = eachPacked(bytes, (index, value) => {
    while (values.length < index) values.push(0)
    values.push(value)
  })
  while (values.length < count) values.push(0)
  return values
}
