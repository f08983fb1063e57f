import { type CurrentFigures, emptySlot, joinRow, type Slot } from './figures'
import { averageAt, knownMsAt, pointColumn, type SlotTable, type TableFigure, tableOf } from './slot-table'

/** Points of a series as columns, in vGPUs; null: unknown. */
export type SeriesColumns = Record<
  'capacity' | 'capacityMax' | 'used' | 'usedMin' | 'usedMax' | 'spare' | 'orphan' | 'stranded' | 'unseen',
  (number | null)[]
>

/** Averages to a tenth; of a thousand and more to a whole one, which is finer than any chart. */
const rounded = (value: number | null): number | null => {
  if (value === null) return null
  return value >= 1000 ? Math.round(value) : Math.round(value * 10) / 10
}

type Slots = readonly (Slot | null)[]

/** Joins each `per` slots to a point; where the group had no member it is 0 as far as the fleet was known. */
export const pointsOf = (
  slots: Slots,
  { fleet, per, isHeld }: { fleet: Slots; per: number; isHeld: boolean },
): Slot[] =>
  Array.from({ length: Math.ceil(slots.length / per) }, (_, point) => {
    const [from, until] = [point * per, (point + 1) * per]
    const ofFleet = fleet.slice(from, until)
    const joined = joinRow(slots.slice(from, until), { fleet: ofFleet, isHeld })
    if (joined !== null) return joined
    return emptySlot({ knownMs: ofFleet.reduce((ms, slot) => ms + (slot?.knownMs ?? 0), 0), isHeld })
  })

const asTable = (slots: Slots | SlotTable): SlotTable => ('figures' in slots ? slots : tableOf(slots))

/** For how long at least part of the group had data, in each point. */
const watchedMs = (table: SlotTable, { fleet, per }: { fleet: SlotTable; per: number }): number[] =>
  Array.from({ length: Math.ceil(table.count / per) }, (_, point) => {
    let ms = 0
    for (let index = point * per; index < Math.min((point + 1) * per, table.count); index += 1)
      ms += (table.present[index] === 1 ? table.knownMs[index] : fleet.knownMs[index]) ?? 0
    return ms
  })

/**
 * The capacity without data in addition to the average with data. While no member has data, all of the group counts as
 * unseen. That time is not in the averages of the known values (of `allMs`, `watchedMs` have data), since both together
 * would exceed the actual capacity.
 */
const unseenInAddition = (
  unseen: number | null,
  { average, allMs, watchedMs }: { average: number | null; allMs: number; watchedMs: number },
): number | null =>
  unseen === null || average === null || watchedMs >= allMs
    ? unseen
    : Math.max(0, unseen - (average * (allMs - watchedMs)) / allMs)

/** A group's slots as points of `per` slots each, with the extremes of what is joined. */
export const seriesColumns = (
  slots: Slots | SlotTable,
  { fleet, ...rest }: { fleet: Slots | SlotTable; per: number; isHeld: boolean },
): SeriesColumns => {
  const [table, terms] = [asTable(slots), { fleet: asTable(fleet), ...rest }]
  const column = (name: TableFigure) => pointColumn(table, name, terms)
  const averages = (name: TableFigure): (number | null)[] => column(name).average.map(rounded)
  const [capacity, used, unseen] = [column('capacity'), column('used'), column('unseen')]
  const [known, watched] = [rest.isHeld ? used : capacity, watchedMs(table, terms)]
  return {
    capacity: capacity.average.map(rounded),
    capacityMax: capacity.max,
    used: used.average.map(rounded),
    usedMin: used.min,
    usedMax: used.max,
    spare: averages('spare'),
    orphan: averages('orphan'),
    stranded: averages('stranded'),
    unseen: unseen.average.map((value, point) => {
      const [average = null, allMs = 0] = [known.average[point], unseen.knownMs[point]]
      return rounded(unseenInAddition(value, { average, allMs, watchedMs: watched[point] ?? 0 }))
    }),
  }
}

/** The capacity without data in one slot, in addition to that with data. */
const unseenAt = (
  table: SlotTable,
  terms: { fleet: SlotTable; isHeld: boolean; index: number },
): number | null => {
  const { isHeld, index } = terms
  const unseen = averageAt(table, 'unseen', terms)
  if (table.present[index] !== 1) return unseen
  const average = averageAt(table, isHeld ? 'used' : 'capacity', terms)
  const allMs = knownMsAt(table, 'unseen', index)
  return unseenInAddition(unseen, { average, allMs, watchedMs: table.knownMs[index] ?? 0 })
}

/** A figure at the first of the places where it is known. */
const figureAt = (
  name: keyof CurrentFigures,
  table: SlotTable,
  { fleet, isHeld, indexes }: { fleet: SlotTable; isHeld: boolean; indexes: Iterable<number> },
): number | null => {
  for (const index of indexes) {
    const terms = { fleet, isHeld, index }
    const value = name === 'unseen' ? unseenAt(table, terms) : averageAt(table, name, terms)
    if (value !== null) return value
  }
  return null
}

const downFrom = function* (end: number, begin = 0) {
  for (let index = end - 1; index >= begin; index -= 1) yield index
}

type EndTerms = {
  fleet: Slots | SlotTable
  isHeld: boolean
  begin: number
  end: number
  current?: CurrentFigures | undefined
  last?: { slots: Slots | SlotTable; fleet: Slots | SlotTable }
}

/**
 * A group at the end of a range: the average in the last known slot before `end`, independent of the length of the drawn
 * points. `last`: finer slots that end at the same time, and are more exact if they are known. The values of that very
 * moment, if given, are the most exact.
 */
export const seriesEnd = (
  slots: Slots | SlotTable,
  { fleet, isHeld, begin, end, current, last }: EndTerms,
): CurrentFigures => {
  const table = asTable(slots)
  const terms = { fleet: asTable(fleet), isHeld }
  const finest = last === undefined ? null : { table: asTable(last.slots), fleet: asTable(last.fleet) }
  const atEnd = (name: keyof CurrentFigures): number | null =>
    figureAt(name, table, { ...terms, indexes: downFrom(end, begin) })
  const latest = (name: keyof CurrentFigures): number | null => {
    const stood = current?.[name] ?? null
    if (stood !== null) return stood
    const finer =
      finest === null
        ? null
        : figureAt(name, finest.table, {
            fleet: finest.fleet,
            isHeld,
            indexes: downFrom(finest.fleet.count),
          })
    return rounded(finer ?? atEnd(name))
  }
  return {
    capacity: latest('capacity'),
    used: latest('used'),
    stranded: latest('stranded'),
    unseen: latest('unseen'),
  }
}

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Whole steps around a range; ms. */
export const wholeSteps = <Range extends { from: number; until: number }>(
  range: Range,
  stepMs: number,
): Range => ({
  ...range,
  from: Math.floor(range.from / stepMs) * stepMs,
  until: Math.ceil(range.until / stepMs) * stepMs,
})

/** The first of `stepsMs`, in ascending order, that gives at most `maxPoints` between `from` and `until`; else the last. */
export const chooseStep = (
  { from, until }: { from: number; until: number },
  { stepsMs, maxPoints }: { stepsMs: readonly number[]; maxPoints: number },
): number => {
  const fits = (stepMs: number) => Math.ceil(until / stepMs) - Math.floor(from / stepMs) <= maxPoints
  return stepsMs.find(fits) ?? stepsMs.at(-1) ?? DAY_MS
}
