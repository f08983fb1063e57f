import type { Utilization, UtilizationSeries } from '@/lib/schemas/api/utilization'

/** One point of a chart of utilization; null: a gap without data. Percent, and MiB. */
export type UsagePoint = {
  /** Begin of the point, in ms since the epoch. */
  at: number
  /** Up to when it is known: the end of its step, or earlier if the step is in progress. */
  endsAt: number
  utilization: number | null
  /** Least and most. */
  extremes: [number, number] | null
  /** Framebuffer in use, of what there is. */
  memory: number | null
  usedMib: number | null
  totalMib: number | null
}

const shareOf = (usedMib: number | null, totalMib: number | null): number | null =>
  usedMib === null || totalMib === null || totalMib === 0 ? null : Math.min(100, (usedMib / totalMib) * 100)

/** A series as points; what lies before `firstKnownAt` is left out, as there was nothing to be measured. */
export const toUsagePoints = (
  series: UtilizationSeries,
  { from, stepSeconds, firstKnownAt }: Pick<Utilization, 'from' | 'stepSeconds' | 'firstKnownAt'>,
  /** When it was read, or the time of its host's last report, in ms. */
  knownAt = Number.POSITIVE_INFINITY,
): UsagePoint[] => {
  const since = firstKnownAt === null ? 0 : Date.parse(firstKnownAt) - stepSeconds * 1000
  const begin = Date.parse(from)
  return series.utilization
    .map((utilization, index): UsagePoint => {
      const [min = null, max = null] = [series.utilizationMin[index], series.utilizationMax[index]]
      const [usedMib = null, totalMib = null] = [series.usedMib[index], series.totalMib[index]]
      const at = begin + index * stepSeconds * 1000
      return {
        at,
        endsAt: Math.min(at + stepSeconds * 1000, knownAt),
        utilization,
        extremes: min === null || max === null ? null : [min, max],
        memory: shareOf(usedMib, totalMib),
        usedMib,
        totalMib,
      }
    })
    .filter(({ at }) => at > since && at < knownAt)
}

/** The last point of which something is known. */
export const lastKnown = (points: readonly UsagePoint[]): UsagePoint | null =>
  points.findLast(({ utilization, usedMib }) => utilization !== null || usedMib !== null) ?? null

/** Up to when a point is known, in ms: a sample at its moment, an hour at its end or where it has come to. */
export const knownUntil = ({ at, endsAt }: UsagePoint, stepSeconds: number): number =>
  stepSeconds > 60 ? endsAt : at

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null)

/** Over all points, each counting alike: the average, the highest of the extremes, and where it was. */
export const sumUsage = (points: readonly UsagePoint[]) => {
  const values = known(points.map(({ utilization }) => utilization))
  const highest = points.reduce<UsagePoint | null>(
    (max, point) => (point.extremes !== null && (max?.extremes?.[1] ?? -1) < point.extremes[1] ? point : max),
    null,
  )
  return {
    average: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
    peak: highest?.extremes?.[1] ?? null,
    peakAt: highest?.at ?? null,
  }
}
