'use client'

import { useServerNow } from '@/components/shell/use-server-now'
import { useTimeZone } from '@/components/shell/use-time-zone'
import type { FleetTotals } from '@/lib/schemas/api/totals'
import { formatAge, formatCount, formatNoun, formatWholeMoment } from '@/lib/util/format'

type LastKnown = NonNullable<FleetTotals['lastKnown']>

/** `last seen 12 min ago`, or of several hosts `on 3 hosts, last seen up to 2 h ago`. */
const seenText = ({ hosts, oldestSeenAt }: LastKnown, nowMs: number | null): string => {
  const where = hosts === 1 ? '' : `on ${formatNoun(hosts, 'host')}, `
  if (oldestSeenAt === null || nowMs === null) return `${where}last seen earlier`
  const age = formatAge((nowMs - Date.parse(oldestSeenAt)) / 1000)
  return `${where}last seen ${hosts === 1 ? '' : 'up to '}${age} ago`
}

/**
 * Marks the part of a total that comes from hosts that do not report: `includes 24 last seen 12 min ago`. `total` names the total
 * where the note is in another line: `Total vGPUs include 24 last seen 12 min ago`.
 */
export const LastKnownNote = ({
  lastKnown,
  part = 'capacity',
  total,
}: {
  lastKnown: FleetTotals['lastKnown']
  part?: 'capacity' | 'used'
  total?: string
}) => {
  const nowMs = useServerNow()
  const zone = useTimeZone()
  const count = lastKnown?.[part] ?? null
  if (lastKnown === null || count === null || count === 0) return null
  return (
    <p
      {...(lastKnown.oldestSeenAt === null
        ? {}
        : { title: formatWholeMoment(new Date(lastKnown.oldestSeenAt), zone) })}
      className="text-small text-warn"
    >
      {total === undefined ? 'includes' : `Total ${total} include`} {formatCount(count)}{' '}
      {seenText(lastKnown, nowMs)}
    </p>
  )
}
