import { FIGURES, type Figure, type Slot } from './figures'

/** In the order in which a table has them. */
const TABLE_FIGURES = [...FIGURES, 'unseen'] as const
export type TableFigure = (typeof TABLE_FIGURES)[number]

/** What a table has of each figure, in this order. */
const PARTS = 4

/**
 * Slots as numbers in place of objects: thousands of slots of many groups would leave a hundred thousand objects behind. `figures` has
 * columns of `count` numbers, four of each figure: for how long it was known (0: never), its integral, its least and its most.
 */
export type SlotTable = {
  count: number
  /** 1: the group had a member in the slot. */
  present: Uint8Array
  knownMs: Float64Array
  figures: Float64Array
}

/** A table of slots in which the group had no member. */
export const emptyTable = (count: number): SlotTable => ({
  count,
  present: new Uint8Array(count),
  knownMs: new Float64Array(count),
  figures: new Float64Array(count * TABLE_FIGURES.length * PARTS),
})

/** Where a figure's first column begins. */
const figureBase = (table: SlotTable, name: TableFigure): number =>
  TABLE_FIGURES.indexOf(name) * PARTS * table.count

/** Puts a figure into a slot, from its number in TABLE_FIGURES. */
const setFigure = (
  { figures, count }: SlotTable,
  [figure, index]: readonly [figure: number, index: number],
  { knownMs, integral, min, max }: Figure,
): void => {
  const base = figure * PARTS * count + index
  figures[base] = knownMs
  figures[base + count] = integral
  figures[base + 2 * count] = min ?? 0
  figures[base + 3 * count] = max ?? 0
}

/** The same slots as a table. */
export const tableOf = (slots: readonly (Slot | null)[]): SlotTable => {
  const table = emptyTable(slots.length)
  for (const [index, slot] of slots.entries()) {
    if (slot === null) continue
    table.present[index] = 1
    table.knownMs[index] = slot.knownMs
    for (const [figure, name] of TABLE_FIGURES.entries()) setFigure(table, [figure, index], slot[name])
  }
  return table
}

/** A column of points: averages weighted by time, for how long each was known, and the extremes; null: never known. */
type PointColumn = {
  average: (number | null)[]
  knownMs: number[]
  min: (number | null)[]
  max: (number | null)[]
}

/**
 * A figure of each `per` slots as a point. In slots without a member it is 0 for as long as the fleet was known; of flavors and
 * projects (`isHeld`) only what they hold is.
 */
export const pointColumn = (
  table: SlotTable,
  name: TableFigure,
  { fleet, per, isHeld }: { fleet: SlotTable; per: number; isHeld: boolean },
): PointColumn => {
  const { count, present, figures } = table
  const points = Math.ceil(count / per)
  const base = figureBase(table, name)
  const isZero = !isHeld || name === 'used' || name === 'unseen'
  const column: PointColumn = { average: [], knownMs: [], min: [], max: [] }
  for (let point = 0; point < points; point += 1) {
    let [known, integral, min, max] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    const end = Math.min((point + 1) * per, count)
    for (let index = point * per; index < end; index += 1) {
      const isThere = present[index] === 1
      const emptyMs = isZero ? fleet.knownMs[index] : 0
      const ms = (isThere ? figures[base + index] : emptyMs) ?? 0
      if (ms === 0) continue
      known += ms
      integral += isThere ? (figures[base + count + index] ?? 0) : 0
      min = Math.min(min, isThere ? (figures[base + 2 * count + index] ?? 0) : 0)
      max = Math.max(max, isThere ? (figures[base + 3 * count + index] ?? 0) : 0)
    }
    column.average.push(known === 0 ? null : integral / known)
    column.knownMs.push(known)
    column.min.push(known === 0 ? null : min)
    column.max.push(known === 0 ? null : max)
  }
  return column
}

/** The average of a figure in one slot, as `pointColumn` has it. */
export const averageAt = (
  table: SlotTable,
  name: TableFigure,
  { fleet, isHeld, index }: { fleet: SlotTable; isHeld: boolean; index: number },
): number | null => {
  if (table.present[index] !== 1) {
    const isZero = !isHeld || name === 'used' || name === 'unseen'
    return isZero && (fleet.knownMs[index] ?? 0) > 0 ? 0 : null
  }
  const base = figureBase(table, name) + index
  const known = table.figures[base] ?? 0
  return known === 0 ? null : (table.figures[base + table.count] ?? 0) / known
}

/** For how long a figure was known in one slot in which the group had a member. */
export const knownMsAt = (table: SlotTable, name: TableFigure, index: number): number =>
  table.figures[figureBase(table, name) + index] ?? 0
