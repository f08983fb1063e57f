'use client'

import { useServerNow } from '@/components/shell/use-server-now'
import { formatMoment } from '@/lib/util/format'
import { splitTimes } from './split-times'

/**
 * A server's sentence with its moments in the reader's time zone. Ends without a full stop, unless it stands for itself
 * (`isWhole`).
 */
export const TimedText = ({ text, isWhole = false }: { text: string; isWhole?: boolean }) => {
  const now = useServerNow()
  return (
    <>
      {splitTimes(text).map((part, place) =>
        part.isTime && now !== null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the sentence
          <time key={place} dateTime={part.text} className="whitespace-nowrap">
            {formatMoment(new Date(part.text), new Date(now))}
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
export const useTimedWords = (): ((text: string) => string) => {
  const now = useServerNow()
  return (text) =>
    splitTimes(text)
      .map((part) =>
        part.isTime && now !== null ? formatMoment(new Date(part.text), new Date(now)) : part.text,
      )
      .join('')
}

/** The same as the detail of a toast. */
export const TimedDetail = ({ text }: { text: string }) => <TimedText text={text} isWhole />
