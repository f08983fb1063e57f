import { FIGURES, type Figure, NEVER_KNOWN, type Slot } from './figures'

const NAMES = [...FIGURES, 'unseen'] as const
/** Averages are kept in hundredths of a vGPU. */
const PARTS = 100

const mostMsOf = (slot: Slot, name: (typeof NAMES)[number]): number =>
  name === 'unseen' ? slot.knownMs + slot.gapMs : slot.knownMs

const WIDTH = 2 + NAMES.length * 4

/** A slot as WIDTH numbers from `base` on. */
const writeNumbers = (numbers: Float64Array, base: number, slot: Slot): void => {
  numbers[base] = slot.knownMs
  numbers[base + 1] = slot.gapMs
  let place = base + 2
  for (const name of NAMES) {
    const { knownMs, integral, min, max } = slot[name]
    const mostMs = mostMsOf(slot, name)
    if (min === null || max === null) numbers[place] = mostMs
    else {
      numbers[place] = mostMs - knownMs
      numbers[place + 1] = min
      numbers[place + 2] = max - min
      numbers[place + 3] = Math.round((integral * PARTS) / knownMs) - min * PARTS
    }
    place += 4
  }
}

const figureAt = (numbers: Float64Array, place: number, mostMs: number): Figure => {
  const ms = mostMs - (numbers[place] ?? 0)
  if (ms === 0) return NEVER_KNOWN
  const min = numbers[place + 1] ?? 0
  return {
    knownMs: ms,
    integral: Math.round(((min * PARTS + (numbers[place + 3] ?? 0)) * ms) / PARTS),
    min,
    max: min + (numbers[place + 2] ?? 0),
  }
}

const slotOf = (numbers: Float64Array): Slot => {
  const knownMs = numbers[0] ?? 0
  const gapMs = numbers[1] ?? 0
  return {
    knownMs,
    gapMs,
    capacity: figureAt(numbers, 2, knownMs),
    used: figureAt(numbers, 6, knownMs),
    spare: figureAt(numbers, 10, knownMs),
    orphan: figureAt(numbers, 14, knownMs),
    stranded: figureAt(numbers, 18, knownMs),
    unseen: figureAt(numbers, 22, knownMs + gapMs),
  }
}

/** The signs of numbers as their last bit: small ones of either sign become short. */
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

/** The longest code of a number of 53 bits. */
const MOST_BYTES = 8

/** A run of zeros is a 0 and its length, any other number its zigzag code: what does not move costs next to nothing. */
const pack = (values: Float64Array): Uint8Array => {
  const bytes = new Uint8Array(values.length * MOST_BYTES + 2 * MOST_BYTES)
  let length = 0
  const push = (value: number): void => {
    let rest = value
    while (rest >= 128) {
      bytes[length++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    bytes[length++] = rest
  }
  for (let place = 0; place < values.length; ) {
    const value = values[place] ?? 0
    let run = 1
    if (value === 0) while (values[place + run] === 0) run += 1
    push(zigzag(value))
    if (value === 0) push(run)
    place += run
  }
  return bytes.slice(0, length)
}

/** `length`: of the numbers at most; what the bytes do not reach stays 0. */
const unpack = (bytes: Uint8Array, length: number): Float64Array => {
  const values = new Float64Array(length)
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
  for (let place = 0; at < bytes.length; ) {
    const value = unzigzag(readVarint())
    if (value === 0) place += readVarint()
    else values[place++] = value
  }
  return values
}

/**
 * The slots of a day (24 hours) or a month (31 days) as bytes: which there are, then number by number the difference to the
 * slot before. Averages are rounded to hundredths, everything else comes back as it was.
 */
export const encodeSlots = (slots: readonly (Slot | null)[]): Uint8Array => {
  const present = slots.filter((slot) => slot !== null)
  const count = present.length
  const numbers = new Float64Array(WIDTH * count)
  for (const [place, slot] of present.entries()) writeNumbers(numbers, place * WIDTH, slot)
  const values = new Float64Array(slots.length + WIDTH * count)
  for (const [place, slot] of slots.entries()) values[place] = Number(slot !== null)
  for (let column = 0; column < WIDTH; column += 1) {
    let before = 0
    const base = slots.length + column * count
    for (let place = 0; place < count; place += 1) {
      const value = numbers[place * WIDTH + column] ?? 0
      values[base + place] = value - before
      before = value
    }
  }
  return pack(values)
}

/** `length`: of the slots that were encoded. */
export const decodeSlots = (bytes: Uint8Array, length: number): (Slot | null)[] => {
  const values = unpack(bytes, length * (WIDTH + 1))
  let count = 0
  for (let place = 0; place < length; place += 1) count += values[place] ?? 0
  const numbers = new Float64Array(WIDTH)
  const slots = new Array<Slot | null>(length).fill(null)
  let seen = 0
  for (let place = 0; place < length; place += 1) {
    if (values[place] === 0) continue
    for (let column = 0; column < WIDTH; column += 1)
      numbers[column] = (numbers[column] ?? 0) + (values[length + column * count + seen] ?? 0)
    seen += 1
    slots[place] = slotOf(numbers)
  }
  return slots
}
