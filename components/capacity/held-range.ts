import type { Capacity } from '@/lib/schemas/api/capacity'

/**
 * The range of an answer, ISO 8601 UTC, up to the end of its last point that is over: a point that still runs would show other
 * numbers to the next person. Where none is over yet, all of it.
 */
export const heldRange = ({
  from,
  until,
  stepSeconds,
  watermark,
  firstKnownAt,
}: Pick<Capacity, 'from' | 'until' | 'stepSeconds' | 'watermark' | 'firstKnownAt'>): {
  from: string
  until: string
} => {
  const stepMs = stepSeconds * 1000
  const known = Math.min(Date.parse(until), Date.parse(watermark ?? until))
  const over = Math.floor(known / stepMs) * stepMs
  const begin = Math.max(Date.parse(from), Date.parse(firstKnownAt ?? from))
  return { from, until: over > begin ? new Date(over).toISOString() : until }
}
