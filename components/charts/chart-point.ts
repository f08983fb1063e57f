import type { BesideColumns } from '@/lib/domain/history/compare'
import type { CapacitySeries } from '@/lib/schemas/api/capacity'

/** One point of a chart of vGPUs; null: a gap, nobody knew it. */
export type ChartPoint = {
  /** Begin of the point, in ms since the epoch. */
  at: number
  capacity: number | null
  used: number | null
  usedMax: number | null
  spare: number | null
  orphan: number | null
  stranded: number | null
  /** Of the capacity, what no other number holds. */
  free: number | null
  unseen: number | null
  /** Used at the same place of another range; absent: none is compared. */
  before?: number | null
}

const restOf = (capacity: number | null, parts: readonly (number | null)[]): number | null =>
  capacity === null ? null : Math.max(0, capacity - parts.reduce<number>((sum, part) => sum + (part ?? 0), 0))

/** A series as points, with those of another range beside where one is compared; what lies before `firstKnownAt` is left out, as there was nothing to be known. */
export const toPoints = (
  series: CapacitySeries,
  { from, stepSeconds, firstKnownAt }: { from: string; stepSeconds: number; firstKnownAt: string | null },
  beside: BesideColumns | null = null,
): ChartPoint[] => {
  const since = firstKnownAt === null ? 0 : Date.parse(firstKnownAt) - stepSeconds * 1000
  const begin = Date.parse(from)
  const points = series.used.map((used, place) => {
    const [capacity = null, spare = null, orphan = null, stranded = null] = [
      series.capacity[place],
      series.spare[place],
      series.orphan[place],
      series.stranded[place],
    ]
    return {
      at: begin + place * stepSeconds * 1000,
      capacity,
      used,
      usedMax: series.usedMax[place] ?? null,
      spare,
      orphan,
      stranded,
      free: restOf(capacity, [used, spare, orphan, stranded]),
      unseen: series.unseen[place] ?? null,
      ...(beside === null ? {} : { before: beside.used[place] ?? null }),
    }
  })
  return points.filter(({ at }) => at > since)
}
