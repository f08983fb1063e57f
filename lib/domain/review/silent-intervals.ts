import type { Watch } from '@/lib/domain/history/events'

/** Time without data of a host; ms. `until` null: it had not ended at the end of the range. */
export type SilentInterval = { hostId: number; from: number; until: number | null }

/**
 * The intervals of at least `minMs` between `from` and `until` in which a known host had no data: from the beginning
 * for those in `knownBefore`, for others from their first data. The longest first.
 */
export const silentIntervals = (
  watches: readonly Watch[],
  {
    from,
    until,
    knownBefore,
    minMs,
  }: { from: number; until: number; knownBefore: ReadonlySet<number>; minMs: number },
): SilentInterval[] => {
  const byHost = new Map<number, Watch[]>([...knownBefore].map((hostId) => [hostId, []]))
  for (const watch of watches) {
    if (watch.until <= watch.since || watch.until <= from || watch.since >= until) continue
    byHost.set(watch.hostId, [...(byHost.get(watch.hostId) ?? []), watch])
  }
  const found: SilentInterval[] = []
  for (const [hostId, list] of byHost) {
    const sorted = list.toSorted((a, b) => a.since - b.since)
    let seenUntil = knownBefore.has(hostId) ? from : (sorted[0]?.since ?? until)
    for (const { since, until: end } of sorted) {
      if (since - seenUntil >= minMs) found.push({ hostId, from: seenUntil, until: since })
      seenUntil = Math.max(seenUntil, end)
    }
    if (until - seenUntil >= minMs) found.push({ hostId, from: seenUntil, until: null })
  }
  const lengthOf = (interval: SilentInterval): number => (interval.until ?? until) - interval.from
  return found.toSorted((a, b) => lengthOf(b) - lengthOf(a) || a.from - b.from)
}
