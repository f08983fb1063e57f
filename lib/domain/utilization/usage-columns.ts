import { joinEach, type UsageSlot } from './usage-slot'

/** Points of a series as columns; null: not measured. */
export type UsageColumns = Record<
  'utilisation' | 'utilisationMin' | 'utilisationMax' | 'usedMib' | 'usedMibMax' | 'totalMib',
  (number | null)[]
>

/** A series as points of `per` spans each, with the extremes of what is joined; a gap stays one. */
export const usageColumns = (slots: readonly (UsageSlot | null)[], per: number): UsageColumns => {
  const points = joinEach(slots, per)
  return {
    utilisation: points.map((point) => point?.utilisation?.average ?? null),
    utilisationMin: points.map((point) => point?.utilisation?.min ?? null),
    utilisationMax: points.map((point) => point?.utilisation?.max ?? null),
    usedMib: points.map((point) => point?.usedMib?.average ?? null),
    usedMibMax: points.map((point) => point?.usedMib?.max ?? null),
    totalMib: points.map((point) => point?.totalMib ?? null),
  }
}
