'use client'

import { formatAge, formatMoment, formatUntil } from '@/lib/util/format'
import { useServerNow } from './use-server-now'

/** A moment and how long ago it was: `14:03:22, 12 s ago`; with `future`, how long it is still, as long as it is: `in 25 min`. */
export const Moment = ({ at, form = 'past' }: { at: string | null; form?: 'past' | 'future' }) => {
  const now = useServerNow()
  if (at === null) return <span className="text-ink3">never</span>
  if (now === null) return <time dateTime={at} />
  const seconds = (now - Date.parse(at)) / 1000
  const text =
    form === 'future' && seconds < 0
      ? `in ${formatUntil(-seconds)}`
      : `${formatMoment(new Date(at), new Date(now))}, ${formatAge(seconds)} ago`
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {text}
    </time>
  )
}

/** How long ago a moment was, `22 min`, with the absolute time on hover. */
export const Age = ({ at }: { at: string }) => {
  const now = useServerNow()
  if (now === null) return <time dateTime={at} />
  const moment = formatMoment(new Date(at), new Date(now))
  return (
    <time dateTime={at} title={moment} className="whitespace-nowrap">
      {formatAge(Math.max(0, (now - Date.parse(at)) / 1000))}
    </time>
  )
}
