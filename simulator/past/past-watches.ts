import type { Random } from '@/simulator/random/random'
import { DAY_MS, HOUR_MS } from './demand'
import type { PastWatch } from './types'

type Span = { begin: number; end: number }

/** Times in which the host was not watched: some hours each, none of them in the last days. */
export const gapsOf = (
  { begin, end }: Span,
  { count, random }: { count: number; random: Random },
): PastWatch[] =>
  Array.from({ length: count }, (_, index) => {
    const part = (end - 4 * DAY_MS - begin) / count
    const since = begin + part * index + part * (0.1 + 0.7 * random.next())
    return { since: Math.round(since), until: Math.round(since + HOUR_MS * (1.5 + 9 * random.next())) }
  }).filter(({ since, until }) => since > begin && until < end)

/** A new agent about every ten weeks, which begins a new interval without a visible gap. */
const UPDATE_MS = 70 * DAY_MS
const RESTART_MS = 20_000

/** The intervals between the gaps and the agent's restarts; the last one continues to the end. */
export const watchesOf = (
  { begin, end }: Span,
  { gaps, random }: { gaps: readonly PastWatch[]; random: Random },
): PastWatch[] => {
  const pauses = [...gaps]
  for (let at = begin + UPDATE_MS * random.next(); at < end - DAY_MS; at += UPDATE_MS) {
    const since = Math.round(at)
    const isWithin = gaps.some((gap) => since < gap.until + HOUR_MS && since > gap.since - HOUR_MS)
    if (!isWithin && since > begin) pauses.push({ since, until: since + RESTART_MS })
  }
  const sorted = pauses.toSorted((a, b) => a.since - b.since)
  return [...sorted, { since: end, until: end }].map(({ since }, index) => ({
    since: sorted[index - 1]?.until ?? begin,
    until: since,
  }))
}
