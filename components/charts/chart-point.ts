import type { ComparedColumns } from '@/lib/domain/history/compare'
import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'

/** One point of a chart of vGPUs; null: a gap without data. */
export type ChartPoint = {
  /** Begin of the point, in ms since the epoch. */
  at: number
  /** The part of it of which anything is known, in ms. */
  beginsAt: number
  endsAt: number
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

type PointTerms = Pick<Capacity, 'from' | 'stepSeconds' | 'firstKnownAt' | 'watermark'>

/** A point, and the part of it of which anything is known: steps are whole ones, and history may begin or end within; in ms. */
export const pointSpan = (
  { from, stepSeconds, firstKnownAt, watermark }: PointTerms,
  index: number,
): { at: number; beginsAt: number; endsAt: number } => {
  const at = Date.parse(from) + index * stepSeconds * 1000
  const end = at + stepSeconds * 1000
  const first = firstKnownAt === null ? at : Date.parse(firstKnownAt)
  const last = watermark === null ? end : Date.parse(watermark)
  return {
    at,
    beginsAt: first > at && first < end ? first : at,
    endsAt: last > at && last < end ? last : end,
  }
}

/**
 * A series as points, with those of the compared range if there is one; points before `firstKnownAt` are left out,
 * because no data can exist there.
 */
export const toPoints = (
  series: CapacitySeries,
  terms: PointTerms,
  comparison: ComparedColumns | null = null,
): ChartPoint[] => {
  const { stepSeconds, firstKnownAt } = terms
  const since = firstKnownAt === null ? 0 : Date.parse(firstKnownAt) - stepSeconds * 1000
  const points = series.used.map((used, index) => {
    const [capacity = null, spare = null, orphan = null, stranded = null] = [
      series.capacity[index],
      series.spare[index],
      series.orphan[index],
      series.stranded[index],
    ]
    return {
      ...pointSpan(terms, index),
      capacity,
      used,
      usedMax: series.usedMax[index] ?? null,
      spare,
      orphan,
      stranded,
      free: restOf(capacity, [used, spare, orphan, stranded]),
      unseen: series.unseen[index] ?? null,
      ...(comparison === null ? {} : { before: comparison.used[index] ?? null }),
    }
  })
  return points.filter(({ at }) => at > since)
}
