import { FIGURES, type Figure, NEVER_KNOWN, type Slot } from './figures'
import { pack, unpackBounded, unpackInto } from './pack-numbers'
import type { SlotTable } from './slot-table'

const NAMES = [...FIGURES, 'unseen'] as const
/** Averages are kept in hundredths of a vGPU. */
const PARTS = 100

const maxMsOf = (slot: Slot, name: (typeof NAMES)[number]): number =>
  name === 'unseen' ? slot.knownMs + slot.gapMs : slot.knownMs

const WIDTH = 2 + NAMES.length * 4

/** A slot as WIDTH numbers from `base` on. */
const writeNumbers = (numbers: Float64Array, base: number, slot: Slot): void => {
  numbers[base] = slot.knownMs
  numbers[base + 1] = slot.gapMs
  let index = base + 2
  for (const name of NAMES) {
    const { knownMs, integral, min, max } = slot[name]
    const maxMs = maxMsOf(slot, name)
    if (min === null || max === null) numbers[index] = maxMs
    else {
      numbers[index] = maxMs - knownMs
      numbers[index + 1] = min
      numbers[index + 2] = max - min
      numbers[index + 3] = Math.round((integral * PARTS) / knownMs) - min * PARTS
    }
    index += 4
  }
}

const figureAt = (numbers: Float64Array, index: number, maxMs: number): Figure => {
  const ms = maxMs - (numbers[index] ?? 0)
  if (ms === 0) return NEVER_KNOWN
  const min = numbers[index + 1] ?? 0
  return {
    knownMs: ms,
    integral: Math.round(((min * PARTS + (numbers[index + 3] ?? 0)) * ms) / PARTS),
    min,
    max: min + (numbers[index + 2] ?? 0),
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

/**
 * The slots of a day (24 hours) or a month (31 days) as bytes: which there are, then number by number the difference to the
 * slot before. Averages are rounded to hundredths, everything else comes back as it was.
 */
export const encodeSlots = (slots: readonly (Slot | null)[]): Uint8Array => {
  const present = slots.filter((slot) => slot !== null)
  const count = present.length
  const numbers = new Float64Array(WIDTH * count)
  for (const [index, slot] of present.entries()) writeNumbers(numbers, index * WIDTH, slot)
  const values = new Float64Array(slots.length + WIDTH * count)
  for (const [index, slot] of slots.entries()) values[index] = Number(slot !== null)
  for (let column = 0; column < WIDTH; column += 1) {
    let before = 0
    const base = slots.length + column * count
    for (let index = 0; index < count; index += 1) {
      const value = numbers[index * WIDTH + column] ?? 0
      values[base + index] = value - before
      before = value
    }
  }
  return pack(values)
}

/** `length`: of the slots that were encoded. */
export const decodeSlots = (bytes: Uint8Array, length: number): (Slot | null)[] => {
  const values = unpackBounded(bytes, length * (WIDTH + 1))
  let count = 0
  for (let index = 0; index < length; index += 1) count += values[index] ?? 0
  const numbers = new Float64Array(WIDTH)
  const slots = new Array<Slot | null>(length).fill(null)
  let seen = 0
  for (let index = 0; index < length; index += 1) {
    if (values[index] === 0) continue
    for (let column = 0; column < WIDTH; column += 1)
      numbers[column] = (numbers[column] ?? 0) + (values[length + column * count + seen] ?? 0)
    seen += 1
    slots[index] = slotOf(numbers)
  }
  return slots
}

/** The most numbers that a page has. */
const SCRATCH = new Float64Array(31 * (WIDTH + 1))

/** The same into a table of many pages: the slots of this one from `offset` on, as far as the table goes. */
export const decodeIntoTable = (
  bytes: Uint8Array,
  length: number,
  { table, offset }: { table: SlotTable; offset: number },
): void => {
  const values = SCRATCH.subarray(0, length * (WIDTH + 1))
  unpackInto(bytes, values.fill(0))
  const { count: size, present, knownMs: knownOf, figures } = table
  let count = 0
  for (let index = 0; index < length; index += 1) count += values[index] ?? 0
  // The differences of each column become its numbers.
  for (let column = 0; column < WIDTH; column += 1) {
    const base = length + column * count
    for (let seen = 1; seen < count; seen += 1)
      values[base + seen] = (values[base + seen] ?? 0) + (values[base + seen - 1] ?? 0)
  }
  for (let index = 0, seen = 0; index < length; index += 1) {
    if (values[index] === 0) continue
    const at = offset + index
    const from = length + seen
    seen += 1
    if (at < 0 || at >= size) continue
    const knownMs = values[from] ?? 0
    const gapMs = values[from + count] ?? 0
    present[at] = 1
    knownOf[at] = knownMs
    for (let figure = 0; figure < NAMES.length; figure += 1) {
      const first = from + (2 + 4 * figure) * count
      const maxMs = figure === NAMES.length - 1 ? knownMs + gapMs : knownMs
      const ms = maxMs - (values[first] ?? 0)
      const base = figure * 4 * size + at
      figures[base] = ms
      if (ms === 0) continue
      const min = values[first + count] ?? 0
      figures[base + size] = Math.round(((min * PARTS + (values[first + 3 * count] ?? 0)) * ms) / PARTS)
      figures[base + 2 * size] = min
      figures[base + 3 * size] = min + (values[first + 2 * count] ?? 0)
    }
  }
}
