'use client'

import { timeZoneName, zoneWords } from '@/lib/util/format'
import { useIsInBrowser } from './use-is-in-browser'

export const TimeZoneNote = () => {
  const isInBrowser = useIsInBrowser()
  return (
    <p className="px-2 text-ink3 text-tiny">{isInBrowser ? `Times in ${zoneWords(timeZoneName())}` : ' '}</p>
  )
}
