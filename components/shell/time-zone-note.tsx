'use client'

import { timeZoneName, zoneWords } from '@/lib/util/format'
import { useNow } from './use-now'

export const TimeZoneNote = () => {
  const isInBrowser = useNow() !== null
  return (
    <p className="px-2 text-ink3 text-tiny">{isInBrowser ? `Times in ${zoneWords(timeZoneName())}` : ' '}</p>
  )
}
