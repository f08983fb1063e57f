'use client'

import { useServerNow } from '@/components/shell/use-server-now'
import { formatMoment, formatUtcMoment, formatWholeMoment } from '@/lib/util/format'
import { formatTimes, splitTimes } from './split-times'
import { useTimeZone } from './use-time-zone'

/** Before the reader's clock is known, in UTC. */
const formatMomentFor = (moment: string, now: number | null, zone: string): string =>
  now === null ? formatUtcMoment(new Date(moment)) : formatMoment(new Date(moment), new Date(now), zone)

/**
 * A server's sentence with its times in the reader's time zone. Ends without a period, unless it is a whole sentence
 * (`isWhole`).
 */
export const TimedText = ({ text, isWhole = false }: { text: string; isWhole?: boolean }) => {
  const now = useServerNow()
  const zone = useTimeZone()
  return (
    <>
      {splitTimes(text).map((part, index) =>
        part.isTime ? (
          <time
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the sentence
            key={index}
            dateTime={part.text}
            title={formatWholeMoment(new Date(part.text), zone)}
            className="whitespace-nowrap"
          >
            {formatMomentFor(part.text, now, zone)}
          </time>
        ) : (
          part.text
        ),
      )}
      {isWhole && text.endsWith('.') ? '.' : null}
    </>
  )
}

/** The same for where only plain text can stand. */
export const useTimedText = (): ((text: string) => string) => {
  const now = useServerNow()
  const zone = useTimeZone()
  return (text) => formatTimes(text, (moment) => formatMomentFor(moment, now, zone))
}

/** The same as the detail of a toast. */
export const TimedDetail = ({ text }: { text: string }) => <TimedText text={text} isWhole />
