import { createFleetGroups } from '@/lib/domain/history/groups'
import type { StandingCard } from '@/lib/domain/review/standing'
import type { ForecastGroup } from '@/lib/schemas/api/forecast'
import type { ReviewContent } from '@/lib/schemas/api/review-content'

type TypeRow = ReviewContent['types']['rows'][number]

const whyNone = ({ none }: ForecastGroup): string => {
  switch (none?.reason) {
    case 'no-better':
      return 'no trend to go by'
    case 'stale':
      return 'not watched lately'
    default:
      return 'not enough data'
  }
}

const fullOf = (forecast: ForecastGroup | undefined): TypeRow['full'] => {
  if (forecast === undefined) return { kind: 'unknown', because: 'not enough data' }
  return forecast.exhaustion ?? { kind: 'unknown', because: whyNone(forecast) }
}

/** A type that is full again and again counts before one that happens to have little left as the period ends. */
const urgencyOf = ({ full: { kind } }: Pick<TypeRow, 'full'>): number =>
  kind === 'full' ? 0 : kind === 'dated' ? 1 : 2

/** The vGPU types of watched pGPUs: the full ones, those with a date, and the others, each with the least left first. */
export const typeRows = (
  cards: readonly StandingCard[],
  { forecasts, most }: { forecasts: readonly ForecastGroup[]; most: number },
): ReviewContent['types'] => {
  const groupsOf = createFleetGroups()
  const types = new Map<string, Omit<TypeRow, 'full'>>()
  for (const { point, word, isWatched } of cards) {
    const group = groupsOf(point, word).find(({ dimension }) => dimension === 'type')
    if (!isWatched || group === undefined || (point.capacity ?? 0) === 0) continue
    const { key, label } = group
    const row = types.get(key) ?? { key, label, used: 0, capacity: 0 }
    row.used += point.used ?? 0
    row.capacity += point.capacity ?? 0
    types.set(key, row)
  }
  const leftOf = ({ used, capacity }: Pick<TypeRow, 'used' | 'capacity'>): number => 1 - used / capacity
  const sorted = [...types.values()]
    .map((row) => ({ ...row, full: fullOf(forecasts.find(({ key }) => key === row.key)) }))
    .toSorted(
      (a, b) =>
        urgencyOf(a) - urgencyOf(b) ||
        leftOf(a) - leftOf(b) ||
        b.capacity - a.capacity ||
        (a.key < b.key ? -1 : 1),
    )
  return { rows: sorted.slice(0, most), others: Math.max(0, sorted.length - most) }
}
