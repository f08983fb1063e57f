import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'

/** `isHeld`: of a flavor or a project, of which there is no series until a server holds something. */
type Known = {
  data: Pick<Capacity, 'firstKnownAt'>
  series: Pick<CapacitySeries, 'used' | 'capacity'> | undefined
  isHeld: boolean
}

const isTold = (column: readonly (number | null)[] | undefined): boolean =>
  column?.some((value) => value !== null) ?? false

/** Why a small history of this many days is empty; null: it has data. */
export const whyNothingDrawn = ({ data, series, isHeld }: Known, days: number): string | null => {
  if (isTold(series?.used)) return null
  if (data.firstKnownAt === null)
    return 'No history yet: it begins with the first report, and is drawn up every minute from then on.'
  if (isHeld) return `No server is known to have held a vGPU of it in these ${days} days.`
  return isTold(series?.capacity)
    ? `How many vGPUs were used is unknown for all of these ${days} days, their capacity is not.`
    : `Nothing is known of these ${days} days.`
}
