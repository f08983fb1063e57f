import { MINUTE_MS } from '../history/series'
import type { UsageSpan } from './judge-idle'
import { joinUsage, type Stat, type UsageSlot } from './usage-slot'

/** A span of one measured vGPU of a server, and where it was. */
export type PlacedSpan = UsageSpan & { host: string }

/** A span of a server over all places where it was measured in it; `hosts`: where, of a gap none. */
export type FollowedSpan = UsageSpan & { hosts: readonly string[] }

const withCount = (stat: Stat | null, count: number): Stat | null =>
  stat === null ? null : { ...stat, count }

const countOf = (slot: UsageSlot): number => slot.utilization?.count ?? 0

/** Of one host: two vGPUs at once are not seen twice as long. */
const onHost = (slots: readonly UsageSlot[]): UsageSlot | null => {
  const joined = joinUsage(slots)
  return joined && { ...joined, utilization: withCount(joined.utilization, Math.max(...slots.map(countOf))) }
}

/**
 * The spans of all places of a server as one series, ascending: what was busy anywhere was busy, the time seen is that of its
 * places one after the other and never longer than the span, and a span that was seen nowhere stays a gap. All spans have the same
 * grid.
 */
export const followSpans = (spans: readonly PlacedSpan[]): FollowedSpan[] => {
  const byBegin = new Map<number, { until: number; byHost: Map<string, UsageSlot[]> }>()
  for (const { begin, until, host, slot } of spans) {
    const known = byBegin.get(begin) ?? { until, byHost: new Map<string, UsageSlot[]>() }
    byBegin.set(begin, known)
    if (slot !== null) known.byHost.set(host, [...(known.byHost.get(host) ?? []), slot])
  }
  return [...byBegin]
    .sort(([a], [b]) => a - b)
    .map(([begin, { until, byHost }]) => {
      const slot = joinUsage([...byHost.values()].map(onHost))
      const minutes = (until - begin) / MINUTE_MS
      const utilization = slot && withCount(slot.utilization, Math.min(minutes, countOf(slot)))
      return { begin, until, slot: slot && { ...slot, utilization }, hosts: [...byHost.keys()] }
    })
}

/** The hosts on which a followed server was seen from `since` (ms) on, in order, each once; `now` last: where it is now. */
export const hostsSince = (
  spans: readonly FollowedSpan[],
  { since, now }: { since: number; now: string },
): string[] => {
  const before = new Set(spans.filter(({ begin }) => begin >= since).flatMap(({ hosts }) => hosts))
  before.delete(now)
  return [...before, now]
}
