import { pack, unpack } from '../history/pack-numbers'
import type { Stat, UsageSlot } from './usage-slot'

/** A series of a page: its number, and its spans. */
export type PageSeries = { id: number; slots: (UsageSlot | null)[] }

/** How pages are laid out: single samples; spans of a series; spans of a group, whose extremes are averages too. */
export const PAGE_FORMS = {
  minutes: { averages: 1, extremes: 1 },
  series: { averages: 10, extremes: 1 },
  groups: { averages: 10, extremes: 10 },
} as const
/** `averages` and `extremes`: into how many parts a percent is told. */
type Parts = { averages: number; extremes: number }
const WHOLE: Parts = PAGE_FORMS.minutes

/** What moves little from span to span is kept as a difference, the distance of the extremes as it is. */
const DIFFERENCES = [true, true, false, false]

const statNumbers = (stat: Stat | null, { averages, extremes }: Parts): number[] => {
  if (stat === null) return [0, 0, 0, 0]
  const { count, min, average, max } = stat
  const told = Math.round(average * averages)
  const middle = Math.floor((told * extremes) / averages)
  return [count, told, middle - Math.round(min * extremes), Math.round(max * extremes) - middle]
}

const statOf = (numbers: readonly number[], { averages, extremes }: Parts): Stat | null => {
  const [count = 0, told = 0, below = 0, above = 0] = numbers
  if (count === 0) return null
  const middle = Math.floor((told * extremes) / averages)
  return {
    count,
    min: (middle - below) / extremes,
    average: told / averages,
    max: (middle + above) / extremes,
  }
}

/** Utilisation, framebuffer in use, and its size as one more than the MiB; 0: nobody said. */
const WIDTH = 9
const isDifference = (column: number): boolean => column === 8 || (DIFFERENCES[column % 4] ?? true)

const numbersOf = ({ utilisation, usedMib, totalMib }: UsageSlot, parts: Parts): number[] => [
  ...statNumbers(utilisation, parts),
  ...statNumbers(usedMib, WHOLE),
  totalMib === null ? 0 : totalMib + 1,
]

const slotOf = (numbers: readonly number[], parts: Parts): UsageSlot => {
  const total = numbers[8] ?? 0
  return {
    utilisation: statOf(numbers.slice(0, 4), parts),
    usedMib: statOf(numbers.slice(4, 8), WHOLE),
    totalMib: total === 0 ? null : total - 1,
  }
}

const seriesNumbers = (slots: readonly (UsageSlot | null)[], parts: Parts): number[] => {
  const present = slots.flatMap((slot) => (slot === null ? [] : [numbersOf(slot, parts)]))
  const columns = Array.from({ length: WIDTH }, (_, column) =>
    present.map((numbers, place) => {
      const before = isDifference(column) ? (present[place - 1]?.[column] ?? 0) : 0
      return (numbers[column] ?? 0) - before
    }),
  )
  return [...slots.map((slot) => Number(slot === null)), ...columns.flat()]
}

/** `length`: how many spans each series of the page has. */
export type PageForm = { length: number; parts: Parts }

/** The series of a page as bytes, by their numbers. Everything comes back as it was, percent rounded to tenths. */
export const encodePage = (series: readonly PageSeries[], { parts }: Pick<PageForm, 'parts'>): Uint8Array => {
  const sorted = series.toSorted((a, b) => a.id - b.id)
  return pack([
    sorted.length,
    ...sorted.map(({ id }, place) => id - (sorted[place - 1]?.id ?? 0)),
    ...sorted.flatMap(({ slots }) => seriesNumbers(slots, parts)),
  ])
}

/** Reads what `encodePage` made in the same form. */
export const decodePage = (bytes: Uint8Array, { length, parts }: PageForm): PageSeries[] => {
  const values = unpack(bytes)
  let place = 0
  const next = (): number => values[place++] ?? 0
  const count = next()
  let id = 0
  const ids = Array.from({ length: count }, () => {
    id += next()
    return id
  })
  return ids.map((one) => {
    const gaps = Array.from({ length }, next)
    const known = gaps.reduce((sum, gap) => sum + 1 - gap, 0)
    const rows = Array.from({ length: known }, () => new Array<number>(WIDTH).fill(0))
    for (let column = 0; column < WIDTH; column += 1)
      for (const [row, numbers] of rows.entries())
        numbers[column] = next() + (isDifference(column) ? (rows[row - 1]?.[column] ?? 0) : 0)
    let seen = 0
    return { id: one, slots: gaps.map((gap) => (gap === 1 ? null : slotOf(rows[seen++] ?? [], parts))) }
  })
}
