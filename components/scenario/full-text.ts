import { formatExhaustion, noForecastText } from '@/components/forecast/forecast-text'
import type { ScenarioType } from '@/lib/schemas/api/scenario-result'
import { formatCount } from '@/lib/util/format'

/** When a group is full before or after the steps: `at once`, `Jan 2027`, `no longer full: at most 32 of 48 at the peak`. */
export const fullText = (
  { full, capacity }: Pick<ScenarioType, 'full' | 'capacity'>,
  side: 'before' | 'after',
  today: string | null,
): string => {
  const exhaustion = full[side]
  if (today === null) return 'not enough data'
  const wasFull = side === 'after' && full.before?.kind === 'full'
  if (exhaustion?.kind === 'full' && side === 'after' && !wasFull) return 'at once'
  if (exhaustion !== null) return formatExhaustion(exhaustion, today).text
  if (wasFull && full.peak !== null && full.peak < capacity.after)
    return `no longer full: at most ${formatCount(full.peak)} of ${formatCount(capacity.after)} at the peak`
  return full.none === null ? 'not enough data' : noForecastText(full.none, today).text
}
