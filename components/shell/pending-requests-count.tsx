import { useQuery } from '@tanstack/react-query'
import { CountBadge } from '@/components/ui/count-badge'
import { requestCountOptions } from '@/lib/api/request-counts'
import { formatCount, formatNoun } from '@/lib/util/format'
import { useCloud } from './use-cloud'

/** Quota requests without a decision; hidden if there are none. */
export const PendingRequestsCount = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(requestCountOptions({ cloud }))
  const count = data?.counts.open ?? 0
  return count === 0 ? null : (
    <CountBadge text={formatCount(count)} label={formatNoun(count, 'pending request')} tone="warn" />
  )
}
