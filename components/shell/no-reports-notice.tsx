import type { Freshness } from '@/lib/schemas/api/fleet'
import { formatMoment, formatNoun } from '@/lib/util/format'
import { useNow } from './use-now'
import { useTimeZone } from './use-time-zone'

/** States that most hosts went silent at once, and what to check. */
export const NoReportsNotice = ({ fleetSilentSince, silentHosts, hostCount }: Freshness) => {
  const nowMs = useNow()
  const zone = useTimeZone()
  const since =
    fleetSilentSince === null || nowMs === null
      ? 'at the same time'
      : `at about ${formatMoment(new Date(fleetSilentSince), new Date(nowMs), zone)}`
  return (
    <div
      role="alert"
      className="blind-banner mb-3.5 lg:mb-[30px] rounded-panel border border-warn bg-warn2 px-3.5 py-2.5"
    >
      <strong className="text-warn">Most hosts are silent:</strong> {silentHosts.length} of{' '}
      {formatNoun(hostCount, 'host')} stopped reporting {since}. The cause is probably the network or the
      address of the console, not the hosts. Totals and lists show the last known numbers.
    </div>
  )
}
