import type { CapacitySeries } from '@/lib/schemas/api/capacity'

/** What a series says in a few numbers; null: not known. */
export type SeriesFigures = {
  /** At the end of the range, as far as it is known. */
  capacity: number | null
  used: number | null
  /** Used on average, over the points of which it is known. */
  average: number | null
  stranded: number | null
  /** Last known capacity of what nobody watches at the end. */
  unseen: number
  /** The most that were used at once in the range, and at which point. */
  peak: number | null
  peakPlace: number | null
  /** Used at the end less used at the begin. */
  growth: number | null
}

const placeOfMost = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((best, value, place) => {
    const most = best === null ? null : (values[best] ?? null)
    return value !== null && (most === null || value > most) ? place : best
  }, null)

const averageOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** What a series says in a few numbers. */
export const figuresOf = (series: CapacitySeries): SeriesFigures => {
  const { capacity, used, stranded, unseen, growth } = series.end
  const peakPlace = placeOfMost(series.usedMax)
  return {
    capacity,
    used,
    average: averageOf(series.used),
    stranded,
    unseen: unseen ?? 0,
    peak: peakPlace === null ? null : (series.usedMax[peakPlace] ?? null),
    peakPlace,
    growth,
  }
}
