'use client'

import { timeZoneName, zoneText } from '@/lib/util/format'
import { useIsInBrowser } from './use-is-in-browser'

export const TimeZoneNote = () => {
  const isInBrowser = useIsInBrowser()
  return (
    <p className="px-2 text-ink3 text-tiny">{isInBrowser ? `Times in ${zoneText(timeZoneName())}` : ' '}</p>
  )
}
