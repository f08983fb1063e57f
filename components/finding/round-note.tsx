'use client'

import { useServerNow } from '@/components/shell/use-server-now'
import { Tag } from '@/components/ui/tag'
import { formatAge, formatMoment } from '@/lib/util/format'

/** Several rounds have been missed by then. */
const OLD_SECONDS = 600

/** `14:03:22, 12 s ago`, and a warning if OpenStack has not been read for too long. */
export const RoundNote = ({ readAt }: { readAt: string }) => {
  const now = useServerNow()
  if (now === null) return <time dateTime={readAt}>in the last reading round</time>
  const seconds = (now - Date.parse(readAt)) / 1000
  const text = `${formatMoment(new Date(readAt), new Date(now))}, ${formatAge(seconds)} ago`
  return (
    <>
      <time dateTime={readAt}>{text}</time>
      {seconds > OLD_SECONDS ? (
        <Tag tone="warn" className="ml-1.5">
          outdated: OpenStack is not being read
        </Tag>
      ) : null}
    </>
  )
}
