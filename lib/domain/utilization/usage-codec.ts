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
/** `averages` and `extremes`: the fraction of a percent to which values are rounded. */
type Parts = { averages: number; extremes: number }
const WHOLE: Parts = PAGE_FORMS.minutes

/** Slowly changing values are stored as differences to the previous span, the distances of the extremes unchanged. */
const DIFFERENCES = [true, true, false, false]

/** Puts a number's four columns at `at`. */
const putStat = (row: number[], at: number, { stat, parts }: { stat: Stat | null; parts: Parts }): void => {
  if (stat === null) return
  const { averages, extremes } = parts
  const averageTotal = Math.round(stat.average * averages)
  const middle = Math.floor((averageTotal * extremes) / averages)
  row[at] = stat.count
  row[at + 1] = averageTotal
  row[at + 2] = middle - Math.round(stat.min * extremes)
  row[at + 3] = Math.round(stat.max * extremes) - middle
}

const statOf = (numbers: readonly number[], { averages, extremes }: Parts): Stat | null => {
  const [count = 0, averageTotal = 0, below = 0, above = 0] = numbers
  if (count === 0) return null
  const middle = Math.floor((averageTotal * extremes) / averages)
  return {
    count,
    min: (middle - below) / extremes,
    average: averageTotal / averages,
    max: (middle + above) / extremes,
  }
}

/** The columns of utilization (4), of framebuffer in use (4), and its size in MiB plus one (0: unknown). */
const WIDTH = 9
const isDifference = (column: number): boolean => column === 8 || (DIFFERENCES[column % 4] ?? true)

const numbersOf = ({ utilization, usedMib, totalMib }: UsageSlot, parts: Parts): number[] => {
  const row = [0, 0, 0, 0, 0, 0, 0, 0, totalMib === null ? 0 : totalMib + 1]
  putStat(row, 0, { stat: utilization, parts })
  putStat(row, 4, { stat: usedMib, parts: WHOLE })
  return row
}

const slotOf = (numbers: readonly number[], parts: Parts): UsageSlot => {
  const total = numbers[8] ?? 0
  return {
    utilization: statOf(numbers.slice(0, 4), parts),
    usedMib: statOf(numbers.slice(4, 8), WHOLE),
    totalMib: total === 0 ? null : total - 1,
  }
}

const putSeries = (values: number[], slots: readonly (UsageSlot | null)[], parts: Parts): void => {
  const rows: number[][] = []
  for (const slot of slots) {
    values.push(Number(slot === null))
    if (slot !== null) rows.push(numbersOf(slot, parts))
  }
  for (let column = 0; column < WIDTH; column += 1) {
    let before = 0
    for (const row of rows) {
      const value = row[column] ?? 0
      values.push(value - before)
      if (isDifference(column)) before = value
    }
  }
}

/** `length`: how many spans each series of the page has. */
export type PageForm = { length: number; parts: Parts }

/** The series of a page as bytes, by their numbers. Everything comes back as it was, percent rounded to tenths. */
export const encodePage = (series: readonly PageSeries[], { parts }: Pick<PageForm, 'parts'>): Uint8Array => {
  const sorted = series.toSorted((a, b) => a.id - b.id)
  const values = [sorted.length]
  for (const [offset, { id }] of sorted.entries()) values.push(id - (sorted[offset - 1]?.id ?? 0))
  for (const { slots } of sorted) putSeries(values, slots, parts)
  return pack(values)
}

/** Reads what `encodePage` made in the same form; `wanted`: the series that are, absent: all of them. */
export const decodePage = (
  bytes: Uint8Array,
  { length, parts }: PageForm,
  wanted?: { has: (id: number) => boolean },
): PageSeries[] => {
  const values = unpack(bytes)
  let offset = 0
  const next = (): number => values[offset++] ?? 0
  const count = next()
  let id = 0
  const ids = Array.from({ length: count }, () => {
    id += next()
    return id
  })
  return ids.flatMap((one) => {
    const gaps = Array.from({ length }, next)
    const known = gaps.reduce((sum, gap) => sum + 1 - gap, 0)
    if (wanted?.has(one) === false) {
      offset += known * WIDTH
      return []
    }
    const rows = Array.from({ length: known }, () => new Array<number>(WIDTH).fill(0))
    for (let column = 0; column < WIDTH; column += 1)
      for (const [row, numbers] of rows.entries())
        numbers[column] = next() + (isDifference(column) ? (rows[row - 1]?.[column] ?? 0) : 0)
    let seen = 0
    return [{ id: one, slots: gaps.map((gap) => (gap === 1 ? null : slotOf(rows[seen++] ?? [], parts))) }]
  })
}
