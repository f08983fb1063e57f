'use client'

import { useNow } from '@/components/shell/use-now'
import { useTimeZone } from '@/components/shell/use-time-zone'
import { formatDay } from '@/lib/util/format'

/** Until when a limit is requested or granted: a day in the reader's time zone, which the server does not know. */
export const UntilText = ({ until }: { until: string | null }) => {
  const now = useNow()
  const zone = useTimeZone()
  if (until === null) return 'permanent'
  return (
    <>
      until{' '}
      <time dateTime={until}>{now === null ? until.slice(0, 10) : formatDay(new Date(until), zone)}</time>
    </>
  )
}
