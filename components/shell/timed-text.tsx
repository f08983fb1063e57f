'use client'

import { useServerNow } from '@/components/shell/use-server-now'
import { formatMoment, formatUtcMoment } from '@/lib/util/format'
import { formatTimes, splitTimes } from './split-times'

/** Before the reader's clock is known, in UTC. */
const formatMomentFor = (moment: string, now: number | null): string =>
  now === null ? formatUtcMoment(new Date(moment)) : formatMoment(new Date(moment), new Date(now))

/**
 * A server's sentence with its times in the reader's time zone. Ends without a period, unless it is a whole sentence
 * (`isWhole`).
 */
export const TimedText = ({ text, isWhole = false }: { text: string; isWhole?: boolean }) => {
  const now = useServerNow()
  return (
    <>
      {splitTimes(text).map((part, index) =>
        part.isTime ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the sentence
          <time key={index} dateTime={part.text} className="whitespace-nowrap">
            {formatMomentFor(part.text, now)}
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
  return (text) => formatTimes(text, (moment) => formatMomentFor(moment, now))
}

/** The same as the detail of a toast. */
export const TimedDetail = ({ text }: { text: string }) => <TimedText text={text} isWhole />
