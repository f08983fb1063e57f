'use client'

import { zoneText } from '@/lib/util/format'
import { useIsInBrowser } from './use-is-in-browser'
import { useTimeZone } from './use-time-zone'

export const TimeZoneNote = () => {
  const isInBrowser = useIsInBrowser()
  const zone = useTimeZone()
  return <p className="px-2 text-ink3 text-tiny">{isInBrowser ? `Times in ${zoneText(zone)}` : ' '}</p>
}
