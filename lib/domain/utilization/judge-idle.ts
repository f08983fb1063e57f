import { DAY_MS, MINUTE_MS } from '../history/series'
import type { UsageSlot } from './usage-slot'

/** A span of one vGPU's history, in ms since the epoch; the last one may end after now. */
export type UsageSpan = { begin: number; until: number; slot: UsageSlot | null }

/** Why it is unknown whether a vGPU is idle. */
export type UnmeasuredReason =
  /** It was never measured: MIG, another vendor, a server that is shut off, or an agent that sends no samples. */
  | 'not-measured'
  /** It was measured, but not lately. */
  | 'not-lately'
  /** Less than half of the time since it was last busy was seen. */
  | 'gaps'
  /** It was there when its host began to be measured, and that is not as long ago as was asked. */
  | 'too-short'

export type IdleVerdict =
  | { kind: 'in-use' }
  /** It came later than so long ago. */
  | { kind: 'too-new' }
  | { kind: 'unknown'; reason: UnmeasuredReason }
  /**
   * Never above the threshold from `since` (ms) on: the end of the last span in which it was, or when it was first seen.
   * `seenShare`: the part of that time with samples, 0 to 1.
   */
  | { kind: 'idle'; since: number; seenShare: number; highestPercent: number; usedMib: number | null }

const MIN_SEEN = 0.5

const isSeen = ({ slot }: UsageSpan): boolean => slot !== null && slot.utilization !== null

type IdleTerms = {
  now: number
  days: number
  thresholdPercent: number
  /** When measuring began on the vGPU's host, in ms. */
  measuredSince: number
}

/**
 * Whether a vGPU was idle for `days` days until `now`: no sample above `thresholdPercent`. `spans` ascending. Time
 * without data is neither idle nor busy. With too much of it, or without data in the last day, the result is unknown.
 */
export const judgeIdle = (
  spans: readonly UsageSpan[],
  { now, days, thresholdPercent, measuredSince }: IdleTerms,
): IdleVerdict => {
  const seen = spans.filter((span) => span.begin < now && isSeen(span))
  const [first, last] = [seen[0], seen.at(-1)]
  if (first === undefined || last === undefined) return { kind: 'unknown', reason: 'not-measured' }
  if (last.until < now - DAY_MS) return { kind: 'unknown', reason: 'not-lately' }
  const busy = seen.findLast(({ slot }) => (slot?.utilization?.max ?? 0) > thresholdPercent)
  const since = busy?.until ?? first.begin
  if (now - since < days * DAY_MS) {
    if (busy !== undefined) return { kind: 'in-use' }
    return first.begin <= measuredSince ? { kind: 'unknown', reason: 'too-short' } : { kind: 'too-new' }
  }
  const quiet = seen.filter(({ begin }) => begin >= since)
  const minutes = quiet.reduce((sum, { slot }) => sum + (slot?.utilization?.count ?? 0), 0)
  const seenShare = Math.min(1, (minutes * MINUTE_MS) / (now - since))
  if (seenShare < MIN_SEEN) return { kind: 'unknown', reason: 'gaps' }
  return {
    kind: 'idle',
    since,
    seenShare,
    highestPercent: Math.max(0, ...quiet.map(({ slot }) => slot?.utilization?.max ?? 0)),
    usedMib: quiet.at(-1)?.slot?.usedMib?.average ?? null,
  }
}
