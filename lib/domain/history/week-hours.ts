import { averageOf, type Figure, NEVER_KNOWN, type Slot } from './figures'
import { DAY_MS, HOUR_MS } from './series'

const WEEK_MS = 7 * DAY_MS
/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const MONDAY_MS = 3 * DAY_MS
/** Zones are off from UTC by whole quarters of an hour. */
const QUARTERS = [0, 1, 2, 3].map((quarter) => (quarter * HOUR_MS) / 4)

/** vGPUs used in an hour of the week, over all weeks: time-weighted average, and maximum; null: unknown. */
export type WeekHour = { average: number | null; max: number | null }

const indexOf = (localMs: number): number =>
  Math.floor(((((localMs + MONDAY_MS) % WEEK_MS) + WEEK_MS) % WEEK_MS) / HOUR_MS)

const join = (a: Figure, b: Figure): Figure => ({
  knownMs: a.knownMs + b.knownMs,
  integral: a.integral + b.integral,
  min: null,
  max: a.max === null || b.max === null ? (a.max ?? b.max) : Math.max(a.max, b.max),
})

/**
 * The use of hours, slot by slot from `from` (ms, a whole hour of UTC), as 7 days from Monday with 24 hours each on the clocks of a
 * zone (`offsetAt`, see createZoneOffset). Where its hours begin within one of UTC, that one counts by its quarters, and its peak
 * in both.
 */
export const weekHours = (
  slots: readonly Slot[],
  { from, offsetAt }: { from: number; offsetAt: (at: number) => number },
): WeekHour[][] => {
  const cells = new Array<Figure>(7 * 24).fill(NEVER_KNOWN)
  for (const [hour, { used }] of slots.entries()) {
    if (used.knownMs === 0) continue
    const at = from + hour * HOUR_MS
    const local = at + offsetAt(at)
    for (const quarter of QUARTERS) {
      const index = indexOf(local + quarter)
      cells[index] = join(cells[index] ?? NEVER_KNOWN, used)
    }
  }
  const words = cells.map((cell) => {
    const average = averageOf(cell)
    return { average: average === null ? null : Math.round(average * 10) / 10, max: cell.max }
  })
  return Array.from({ length: 7 }, (_, day) => words.slice(day * 24, (day + 1) * 24))
}
