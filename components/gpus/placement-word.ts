import type { GpuRow } from '@/lib/domain/gpu-list/gpu-store'

export type PlacementWord = {
  text: string
  /** The continuation of `text`, for the note and for screen readers. */
  rest: string
  /** It advertises more than fit. */
  isMore: boolean
}

/**
 * Placement's value of a pGPU if it differs from the hardware or is unknown; null if there is nothing to show. A pGPU
 * with an unknown capacity of which nothing is advertised has nothing to compare.
 */
export const placementWord = ({
  capacity,
  advertised,
  advertisedUsed,
}: Pick<GpuRow, 'capacity' | 'advertised' | 'advertisedUsed'>): PlacementWord | null => {
  if (advertised === null)
    return { text: 'Placement –', rest: 'what it advertises is not known', isMore: false }
  if (advertised === capacity || (capacity === null && advertised === 0)) return null
  const used = advertisedUsed === null ? 'used not known' : `${advertisedUsed} of them used`
  const isMore = capacity !== null && advertised > capacity
  const rest = isMore ? `advertised, ${used}; ${capacity} fit` : `advertised, ${used}`
  return { text: `Placement ${advertised}`, rest, isMore }
}
