import type { Freshness } from '@/lib/schemas/api/fleet'
import { formatMoment, formatNoun } from '@/lib/util/format'
import { useNow } from './use-now'

/** States that most hosts went silent at once, and what to check. */
export const BlindNotice = ({ blindSince, silentHosts, hostCount }: Freshness) => {
  const nowMs = useNow()
  const since =
    blindSince === null || nowMs === null
      ? 'at once'
      : `at about ${formatMoment(new Date(blindSince), new Date(nowMs))}`
  return (
    <div
      role="alert"
      className="blind-banner mb-3.5 lg:mb-[30px] rounded-panel border border-warn bg-warn2 px-3.5 py-2.5"
    >
      <strong className="text-warn">The console is blind:</strong> {silentHosts.length} of{' '}
      {formatNoun(hostCount, 'host')} went silent {since}. The hosts are probably well; look at the console’s
      own network and address first. Sums leave the silent hosts out; lists show their last known numbers in
      grey.
    </div>
  )
}
