import { FIGURES, type Figure, NEVER_KNOWN, type Slot } from './figures'
import { pack, unpackAtMost } from './pack-numbers'

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
  const values = unpackAtMost(bytes, length * (WIDTH + 1))
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
