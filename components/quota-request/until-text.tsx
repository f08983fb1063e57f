'use client'

import { useNow } from '@/components/shell/use-now'
import { formatDay } from '@/lib/util/format'

/** Until when a limit is requested or granted: a day in the reader's time zone, which the server does not know. */
export const UntilText = ({ until }: { until: string | null }) => {
  const now = useNow()
  if (until === null) return 'permanent'
  return (
    <>
      until <time dateTime={until}>{now === null ? until.slice(0, 10) : formatDay(new Date(until))}</time>
    </>
  )
}
