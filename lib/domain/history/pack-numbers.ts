const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

const pushVarint = (bytes: number[], value: number): void => {
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

/**
 * Whole numbers as bytes. A run of zeros is a 0 and its length, any other number its zigzag code: what does not move costs next
 * to nothing.
 */
export const pack = (values: readonly number[]): Uint8Array => {
  const bytes: number[] = []
  for (let place = 0; place < values.length; ) {
    const value = values[place] ?? 0
    let run = 1
    if (value === 0) while (values[place + run] === 0) run += 1
    pushVarint(bytes, zigzag(value))
    if (value === 0) pushVarint(bytes, run)
    place += run
  }
  return Uint8Array.from(bytes)
}

/** What `pack` was given. */
export const unpack = (bytes: Uint8Array): number[] => {
  const values: number[] = []
  let place = 0
  const readVarint = (): number => {
    let value = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[place++] ?? 0
      value += (byte % 128) * unit
      if (byte < 128) return value
    }
  }
  while (place < bytes.length) {
    const value = unzigzag(readVarint())
    if (value !== 0) values.push(value)
    else for (let run = readVarint(); run > 0; run -= 1) values.push(0)
  }
  return values
}
