import type { ForecastGroup } from '@/lib/schemas/api/forecast'

/** The day that decides the order; null: it is not expected to fill up. */
const fullDay = ({ exhaustion, weak }: ForecastGroup): string | null => {
  const when = exhaustion ?? weak?.exhaustion ?? null
  if (when?.kind === 'full') return ''
  return when?.kind === 'dated' ? (when.likely ?? when.latest ?? when.earliest) : null
}

const freeShare = ({ used, capacity }: ForecastGroup): number =>
  used === null || capacity === null || capacity === 0 ? 1 : 1 - used / capacity

/** Full groups first, then by the day on which they are full, then by the share that is free. */
export const byFull = (groups: readonly ForecastGroup[]): ForecastGroup[] =>
  groups
    .map((group) => ({ group, day: fullDay(group) ?? '9999', free: freeShare(group) }))
    .toSorted((a, b) => (a.day === b.day ? a.free - b.free : a.day < b.day ? -1 : 1))
    .map(({ group }) => group)
