'use client'

import { useQuery } from '@tanstack/react-query'
import { freshnessOptions } from '@/lib/api/freshness'
import { formatMoment, formatNoun } from '@/lib/util/format'
import { useCloud } from './use-cloud'
import { useNow } from './use-now'

/** Most hosts went silent at once: that says something about the console, not about the hosts. */
export const BlindBanner = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(freshnessOptions({ cloud }))
  const nowMs = useNow()
  if (!data?.isBlind) return null
  const since =
    data.blindSince === null || nowMs === null
      ? 'at once'
      : `at about ${formatMoment(new Date(data.blindSince), new Date(nowMs))}`
  return (
    <div
      role="alert"
      className="blind-banner mb-3.5 lg:mb-[30px] rounded-panel border border-warn bg-warn2 px-3.5 py-2.5"
    >
      <strong className="text-warn">The console is blind:</strong> {data.silentHosts.length} of{' '}
      {formatNoun(data.hostCount, 'host')} went silent {since}. The hosts are probably well; look at the
      console’s own network and address first. Sums leave the silent hosts out; lists show their last known
      numbers in grey.
    </div>
  )
}
