export type FleetSilence = { isFleetSilent: false; sinceMs: null } | { isFleetSilent: true; sinceMs: number }

const SEEING: FleetSilence = { isFleetSilent: false, sinceMs: null }

/** One silent host may be one broken host. */
const FEWEST_HOSTS = 2

/** While others speak, a group that has been gone for a day was switched off or lost: a fact about the hosts. */
const LONGEST_MS = 24 * 60 * 60 * 1000

/**
 * Distinguishes a console that receives no reports from hosts that went down. It receives none if more than half of the
 * reporting hosts fell silent within one silence interval, and either no host reports or that was less than a day ago.
 * Hosts that never reported, or fell silent earlier, do not count, so a rack that was switched off last week has no
 * influence. `sinceMs` is the last report of the hosts that fell silent. All times in milliseconds of one clock. O(n log
 * n).
 */
export const detectBlindness = ({
  speakingCount,
  silentWordsMs,
  nowMs,
  silentAfterMs,
}: {
  speakingCount: number
  /** Last words of the hosts that are silent now. */
  silentWordsMs: readonly number[]
  nowMs: number
  silentAfterMs: number
}): FleetSilence => {
  const silent = silentWordsMs.toSorted((a, b) => a - b)
  // From the latest group on: those that fell silent later were still speaking when an earlier group went.
  let last = silent.length - 1
  for (let first = silent.length - 1; first >= 0; first--) {
    const firstWord = silent[first] ?? 0
    while ((silent[last] ?? 0) - firstWord > silentAfterMs) last--
    const wentCount = last - first + 1
    const speakingThenCount = speakingCount + (silent.length - first)
    const sinceMs = silent[last] ?? firstWord
    if (speakingCount > 0 && sinceMs < nowMs - LONGEST_MS) return SEEING
    if (wentCount >= FEWEST_HOSTS && wentCount * 2 > speakingThenCount)
      return { isFleetSilent: true, sinceMs }
  }
  return SEEING
}
