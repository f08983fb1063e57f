import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'

/** `isHeld`: of a flavor or a project, of which there is no series until a server holds something. */
type Known = {
  data: Pick<Capacity, 'firstKnownAt'>
  series: Pick<CapacitySeries, 'used' | 'capacity'> | undefined
  isHeld: boolean
}

const hasValues = (column: readonly (number | null)[] | undefined): boolean =>
  column?.some((value) => value !== null) ?? false

/** Why a small history of this many days is empty; null: it has data. */
export const whyNothingDrawn = ({ data, series, isHeld }: Known, days: number): string | null => {
  if (hasValues(series?.used)) return null
  if (data.firstKnownAt === null)
    return 'No history yet. It begins with the first report and is updated every minute.'
  if (isHeld) return `No server used a vGPU of it in the last ${days} days, as far as is known.`
  return hasValues(series?.capacity)
    ? `The use in the last ${days} days is unknown. Only the capacity is known.`
    : `No data for the last ${days} days.`
}
