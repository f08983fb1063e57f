import { joinEach, type UsageSlot } from './usage-slot'

/** Points of a series as columns; null: not measured. */
export type UsageColumns = Record<
  'utilization' | 'utilizationMin' | 'utilizationMax' | 'usedMib' | 'usedMibMax' | 'totalMib',
  (number | null)[]
>

/** A series as points of `per` spans each, with the extremes of what is joined; a gap stays one. */
export const usageColumns = (slots: readonly (UsageSlot | null)[], per: number): UsageColumns => {
  const points = joinEach(slots, per)
  return {
    utilization: points.map((point) => point?.utilization?.average ?? null),
    utilizationMin: points.map((point) => point?.utilization?.min ?? null),
    utilizationMax: points.map((point) => point?.utilization?.max ?? null),
    usedMib: points.map((point) => point?.usedMib?.average ?? null),
    usedMibMax: points.map((point) => point?.usedMib?.max ?? null),
    totalMib: points.map((point) => point?.totalMib ?? null),
  }
}
