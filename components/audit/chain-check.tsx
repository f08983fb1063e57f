'use client'

import { useQuery } from '@tanstack/react-query'
import { Moment } from '@/components/shell/moment'
import { Button } from '@/components/ui/button'
import { auditChainOptions } from '@/lib/api/audit'
import { formatNoun } from '@/lib/util/format'

/** Proves the chain while one watches; `npm run audit:verify` does the same. */
export const ChainCheck = () => {
  const { data, error, isFetching, refetch } = useQuery(auditChainOptions())
  const isBroken = data?.broken !== undefined && data.broken !== null
  return (
    <div className="mb-2.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 print:hidden">
      <Button isUnavailable={isFetching} onClick={() => void refetch()}>
        {isFetching ? 'Checking the chain …' : 'Check the chain'}
      </Button>
      <p role="status" className={isBroken || error !== null ? 'text-bad' : 'text-ink2'}>
        {error !== null ? error.message : null}
        {error === null && data === undefined
          ? 'Each entry holds the hash of the one before it: none can be changed or taken out unseen.'
          : null}
        {error === null && data !== undefined && data.broken !== null
          ? `Broken at entry ${data.broken.id}: ${data.broken.reason}. ${formatNoun(data.entries, 'entry', 'entries')} before it hold.`
          : null}
        {error === null && data !== undefined && data.broken === null ? (
          <>
            The chain holds: {formatNoun(data.entries, 'entry', 'entries')} of every cloud, the last with the
            hash <code className="font-mono text-small wrap-anywhere">{data.head.slice(0, 16)}</code>. Checked{' '}
            <Moment at={data.checkedAt} />
          </>
        ) : null}
      </p>
    </div>
  )
}
