import { FIGURES, type Figure, NEVER_KNOWN, type Slot } from './figures'
import { pack, unpack } from './pack-numbers'

const NAMES = [...FIGURES, 'unseen'] as const
/** Averages are kept in hundredths of a vGPU. */
const PARTS = 100

const mostMsOf = (slot: Slot, name: (typeof NAMES)[number]): number =>
  name === 'unseen' ? slot.knownMs + slot.gapMs : slot.knownMs

const figureNumbers = ({ knownMs, integral, min, max }: Figure, mostMs: number): number[] => {
  if (min === null || max === null) return [mostMs, 0, 0, 0]
  return [mostMs - knownMs, min, max - min, Math.round((integral * PARTS) / knownMs) - min * PARTS]
}

const numbersOf = (slot: Slot): number[] => [
  slot.knownMs,
  slot.gapMs,
  ...NAMES.flatMap((name) => figureNumbers(slot[name], mostMsOf(slot, name))),
]
const WIDTH = 2 + NAMES.length * 4

const slotOf = (numbers: readonly number[]): Slot => {
  const [knownMs = 0, gapMs = 0] = numbers
  const figureAt = (place: number, mostMs: number): Figure => {
    const base = 2 + place * 4
    const ms = mostMs - (numbers[base] ?? 0)
    if (ms === 0) return NEVER_KNOWN
    const [min, width, over] = [numbers[base + 1] ?? 0, numbers[base + 2] ?? 0, numbers[base + 3] ?? 0]
    return {
      knownMs: ms,
      integral: Math.round(((min * PARTS + over) * ms) / PARTS),
      min,
      max: min + width,
    }
  }
  return {
    knownMs,
    gapMs,
    capacity: figureAt(0, knownMs),
    used: figureAt(1, knownMs),
    spare: figureAt(2, knownMs),
    orphan: figureAt(3, knownMs),
    stranded: figureAt(4, knownMs),
    unseen: figureAt(5, knownMs + gapMs),
  }
}

/**
 * The slots of a day (24 hours) or a month (31 days) as bytes: which there are, then number by number the difference to the
 * slot before. Averages are rounded to hundredths, everything else comes back as it was.
 */
export const encodeSlots = (slots: readonly (Slot | null)[]): Uint8Array => {
  const present = slots.flatMap((slot) => (slot === null ? [] : [numbersOf(slot)]))
  const columns = Array.from({ length: WIDTH }, (_, column) =>
    present.map((numbers, place) => (numbers[column] ?? 0) - (present[place - 1]?.[column] ?? 0)),
  )
  return pack([...slots.map((slot) => Number(slot !== null)), ...columns.flat()])
}

/** `length`: of the slots that were encoded. */
export const decodeSlots = (bytes: Uint8Array, length: number): (Slot | null)[] => {
  const values = unpack(bytes)
  const flags = values.slice(0, length)
  const count = flags.reduce((sum, flag) => sum + flag, 0)
  const numbers = new Array<number>(WIDTH).fill(0)
  let seen = 0
  return flags.map((flag) => {
    if (flag === 0) return null
    for (let column = 0; column < WIDTH; column += 1)
      numbers[column] = (numbers[column] ?? 0) + (values[length + column * count + seen] ?? 0)
    seen += 1
    return slotOf(numbers)
  })
}
