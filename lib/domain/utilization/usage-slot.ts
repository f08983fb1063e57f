import { MINUTE_MS } from '../history/series'
import { type Sample, type SeriesName, seriesKey } from './sample'

/** Samples of a number: how many there were, their extremes and their average. */
export type Stat = { count: number; min: number; average: number; max: number }

/**
 * A series over a span of time; an unknown number is null, and so is a span without data. `totalMib`: the size of the
 * framebuffer at the end.
 */
export type UsageSlot = { utilization: Stat | null; usedMib: Stat | null; totalMib: number | null }

/** Percent are kept in tenths, MiB whole. */
const TENTHS = 10

const joinStats = (stats: readonly (Stat | null)[], parts: number): Stat | null => {
  const known = stats.filter((stat) => stat !== null)
  const count = known.reduce((sum, stat) => sum + stat.count, 0)
  if (count === 0) return null
  const sum = known.reduce((total, stat) => total + stat.average * stat.count, 0)
  return {
    count,
    min: Math.min(...known.map(({ min }) => min)),
    average: Math.round((sum / count) * parts) / parts,
    max: Math.max(...known.map(({ max }) => max)),
  }
}

/** The spans of one series together, weighted by their samples; null: nothing is known in any of them. */
export const joinUsage = (slots: readonly (UsageSlot | null | undefined)[]): UsageSlot | null => {
  const known = slots.filter((slot) => slot !== null && slot !== undefined)
  if (known.length === 0) return null
  return {
    utilization: joinStats(
      known.map(({ utilization }) => utilization),
      TENTHS,
    ),
    usedMib: joinStats(
      known.map(({ usedMib }) => usedMib),
      1,
    ),
    totalMib: known.findLast(({ totalMib }) => totalMib !== null)?.totalMib ?? null,
  }
}

const statOf = (value: number | null): Stat | null =>
  value === null ? null : { count: 1, min: value, average: value, max: value }

/** The samples of one series, minute by minute. */
export type SeriesMinutes = SeriesName & { minutes: (UsageSlot | null)[] }

/** The series of `samples` in `length` minutes from `begin` (ms); a minute without a sample is null. */
export const minutesOf = (
  samples: readonly Sample[],
  { begin, length }: { begin: number; length: number },
): SeriesMinutes[] => {
  const series = new Map<string, SeriesMinutes>()
  for (const { at, readings } of samples) {
    const index = Math.floor((at - begin) / MINUTE_MS)
    if (index < 0 || index >= length) continue
    for (const { utilization, usedMib, totalMib, ...name } of readings) {
      const key = seriesKey(name)
      const known = series.get(key) ?? { ...name, minutes: new Array<null>(length).fill(null) }
      series.set(key, known)
      known.minutes[index] = { utilization: statOf(utilization), usedMib: statOf(usedMib), totalMib }
    }
  }
  return [...series].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

/** Spans joined `per` at a time. */
export const joinEach = (slots: readonly (UsageSlot | null)[], per: number): (UsageSlot | null)[] =>
  Array.from({ length: Math.ceil(slots.length / per) }, (_, index) =>
    joinUsage(slots.slice(index * per, (index + 1) * per)),
  )
