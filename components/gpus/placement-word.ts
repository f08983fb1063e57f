import type { GpuRow } from '@/lib/domain/gpu-list/gpu-store'

export type PlacementWord = {
  text: string
  /** Goes on after `text`, for the note and for screen readers. */
  rest: string
  /** It advertises more than fit. */
  isMore: boolean
}

/**
 * What Placement says about a pGPU where that differs from the hardware or is unknown; null where there is nothing to say.
 * A pGPU whose capacity is unknown and of which nothing is advertised has nothing to compare.
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
