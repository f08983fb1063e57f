'use client'

import { useServerNow } from '@/components/shell/use-server-now'
import { formatMoment } from '@/lib/util/format'
import { splitTimes } from './split-times'

/** A server's sentence with its moments in the reader's time zone. Ends without a full stop. */
export const TimedText = ({ text }: { text: string }) => {
  const now = useServerNow()
  return splitTimes(text).map((part, place) =>
    part.isTime && now !== null ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the sentence
      <time key={place} dateTime={part.text} className="whitespace-nowrap">
        {formatMoment(new Date(part.text), new Date(now))}
      </time>
    ) : (
      part.text
    ),
  )
}
