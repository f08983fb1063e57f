'use client'

import { formatAge, formatMoment, formatUntil, formatWholeMoment } from '@/lib/util/format'
import { useServerNow } from './use-server-now'
import { useTimeZone } from './use-time-zone'

/** A moment and how long ago it was: `14:03:22, 12 s ago`; with `future`, how long it is still, as long as it is: `in 25 min`. */
export const Moment = ({ at, form = 'past' }: { at: string | null; form?: 'past' | 'future' }) => {
  const now = useServerNow()
  const zone = useTimeZone()
  if (at === null) return <span className="text-ink3">never</span>
  if (now === null) return <time dateTime={at} />
  const seconds = (now - Date.parse(at)) / 1000
  const text =
    form === 'future' && seconds < 0
      ? `in ${formatUntil(-seconds)}`
      : `${formatMoment(new Date(at), new Date(now), zone)}, ${formatAge(seconds)} ago`
  return (
    <time dateTime={at} title={formatWholeMoment(new Date(at), zone)} className="whitespace-nowrap">
      {text}
    </time>
  )
}

/** How long ago a moment was, `22 min`, with the absolute time on hover. */
export const Age = ({ at }: { at: string }) => {
  const now = useServerNow()
  const zone = useTimeZone()
  if (now === null) return <time dateTime={at} />
  return (
    <time dateTime={at} title={formatWholeMoment(new Date(at), zone)} className="whitespace-nowrap">
      {formatAge(Math.max(0, (now - Date.parse(at)) / 1000))}
    </time>
  )
}
