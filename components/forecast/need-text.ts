import type { ForecastGroup } from '@/lib/schemas/api/forecast'
import { formatCount, formatNoun } from '@/lib/util/format'
import { formatMonth } from './forecast-text'

/**
 * What a group needs at the end of its forecast: `4 more cards by May 2027 (1 to 7)`. `perCard`: vGPUs of a card; null:
 * unknown, so vGPUs are counted. Null: it needs none, or there is no forecast.
 */
export const needText = (
  { capacity, atEnd, weak }: Pick<ForecastGroup, 'capacity' | 'atEnd' | 'weak'>,
  perCard: number | null,
): string | null => {
  const end = atEnd ?? weak?.atEnd ?? null
  if (end === null || capacity === null) return null
  const needed = (value: number): number => Math.max(0, Math.ceil((value - capacity) / (perCard ?? 1)))
  const [low, likely, high] = [needed(end.low), needed(end.likely), needed(end.high)]
  if (high === 0) return null
  const noun = perCard === null ? 'more vGPU' : 'more card'
  const by = `by ${formatMonth(end.day)}`
  if (likely === 0) return `up to ${formatNoun(high, noun)} ${by}`
  const range = low === high ? '' : ` (${formatCount(low)} to ${formatCount(high)})`
  return `${formatNoun(likely, noun)} ${by}${range}`
}
