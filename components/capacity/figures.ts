import type { CapacitySeries } from '@/lib/schemas/api/capacity'
import type { FleetTotals } from '@/lib/schemas/api/totals'

/** A series in a few numbers; null: unknown. */
export type SeriesFigures = {
  /** Of the current position, or at the end of a range that ends earlier. */
  capacity: number | null
  used: number | null
  /** Used on average, over the points for which it is known. */
  average: number | null
  stranded: number | null
  /** Last known capacity of hosts without data at the end. */
  unseen: number
  /** The most in use at once in the range, the capacity at that time, and the point. */
  peak: number | null
  peakCapacity: number | null
  peakIndex: number | null
  /** Used on average in the later of the compared periods less the earlier one; null: not enough history. */
  growth: number | null
}

const indexOfMax = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((best, value, index) => {
    const max = best === null ? null : (values[best] ?? null)
    return value !== null && (max === null || value > max) ? index : best
  }, null)

const averageOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** The current totals of a series in its unit: vGPUs, or passthrough GPUs where it has nothing else; null: not of now. */
export const currentOf = ({ current }: Pick<CapacitySeries, 'current'>): FleetTotals | null => {
  if (current === null) return null
  const { totals, passthrough } = current
  return totals.pgpus === 0 && passthrough.pgpus > 0 ? passthrough : totals
}

/** A series in a few numbers. */
export const figuresOf = (series: CapacitySeries): SeriesFigures => {
  const { end, peak } = series
  const current = currentOf(series)
  const peakIndex = indexOfMax(series.usedMax)
  return {
    capacity: current === null ? end.capacity : current.capacity,
    used: current === null ? end.used : current.used,
    average: averageOf(series.used),
    stranded: current === null ? end.stranded : current.stranded,
    unseen: current === null ? (end.unseen ?? 0) : (current.lastKnown?.capacity ?? 0),
    peak: peak?.used ?? null,
    peakCapacity: peak?.capacity ?? null,
    peakIndex,
    growth: end.growth,
  }
}
