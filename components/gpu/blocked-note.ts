import type { BlockedKind, FleetTotals } from '@/lib/schemas/api/totals'
import { formatCount } from '@/lib/util/format'

const BLOCKED_LABELS: Readonly<Record<BlockedKind, string>> = {
  orphaned: 'orphaned',
  locked: 'locked',
  stranded: 'stranded',
  cleaning: 'waiting for cleaning',
}

/** `12 orphaned, 8 stranded`. */
export const blockedNote = ({ blockedBy }: Pick<FleetTotals, 'blockedBy'>): string => {
  const counts = new Map<BlockedKind, number>()
  for (const { kind, count } of blockedBy) counts.set(kind, (counts.get(kind) ?? 0) + count)
  return [...counts].map(([kind, count]) => `${formatCount(count)} ${BLOCKED_LABELS[kind]}`).join(', ')
}

/** Each reason with its count, for a tooltip. */
export const blockedReasons = ({ blockedBy }: Pick<FleetTotals, 'blockedBy'>): string | undefined =>
  blockedBy.length === 0
    ? undefined
    : blockedBy.map(({ reason, count }) => `${formatCount(count)}: ${reason}`).join('\n')
