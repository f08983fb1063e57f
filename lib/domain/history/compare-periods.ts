import { DAY_MS } from './series'
import { pointColumn, type SlotTable } from './slot-table'

/** Two periods of equal length whose days have the same place in the week; ms, whole UTC days. */
export type ComparedPeriods = {
  days: number
  earlier: { from: number; until: number }
  later: { from: number; until: number }
}

const WEEK_DAYS = 7
/** From this length on a range is compared by weeks, so that its weekends count the same in both periods. */
const WEEKLY_FROM_DAYS = 14
/** A period of which less is known is not compared. */
const MIN_KNOWN_SHARE = 0.9

/**
 * The periods that the growth of a range compares: its last whole days, and as many days a whole number of weeks earlier. Ranges of
 * two weeks and more compare their first and last week; shorter ranges a day with the same day of the week before. Null: the range
 * has no whole day.
 */
export const comparedPeriods = ({ from, until }: { from: number; until: number }): ComparedPeriods | null => {
  const end = Math.floor(until / DAY_MS) * DAY_MS
  if (end <= 0 || until <= from) return null
  const rangeDays = Math.floor((end - from) / DAY_MS)
  const days = rangeDays >= WEEKLY_FROM_DAYS ? WEEK_DAYS : 1
  const shift = Math.max(1, Math.floor((rangeDays - days) / WEEK_DAYS)) * WEEK_DAYS * DAY_MS
  const later = { from: end - days * DAY_MS, until: end }
  return { days, later, earlier: { from: later.from - shift, until: later.until - shift } }
}

/** Average use over a whole period; null: too little of it is known. */
const averageUse = (
  table: SlotTable,
  { fleet, isHeld, days }: { fleet: SlotTable; isHeld: boolean; days: number },
): number | null => {
  const point = (name: 'used' | 'capacity' | 'unseen') =>
    pointColumn(table, name, { fleet, per: Math.max(table.count, 1), isHeld })
  const used = point('used')
  const [average = null, knownMs = 0] = [used.average[0], used.knownMs[0]]
  if (average === null || knownMs < MIN_KNOWN_SHARE * days * DAY_MS) return null
  const known = (isHeld ? average : (point('capacity').average[0] ?? null)) ?? 0
  const unseen = point('unseen').average[0] ?? 0
  return unseen > (1 - MIN_KNOWN_SHARE) * (known + unseen) ? null : average
}

type Period = { slots: SlotTable; fleet: SlotTable }

/** How many more vGPUs were in use on average in the later period; null: not enough history. */
export const growthBetween = (
  { earlier, later }: { earlier: Period; later: Period },
  terms: { isHeld: boolean; days: number },
): number | null => {
  const before = averageUse(earlier.slots, { ...terms, fleet: earlier.fleet })
  const after = averageUse(later.slots, { ...terms, fleet: later.fleet })
  return before === null || after === null ? null : Math.round((after - before) * 10) / 10
}
