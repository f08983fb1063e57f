'use client'

import { Tooltip } from '@/components/ui/tooltip'
import { timeZoneName, zoneText } from '@/lib/util/format'
import { TimeZoneNote } from './time-zone-note'
import { switchZone } from './time-zone-store'
import { useIsInBrowser } from './use-is-in-browser'
import { useTimeZone } from './use-time-zone'

/** The zone of all times, and the switch between the reader's zone and UTC. */
export const TimeZoneSwitch = () => {
  const isInBrowser = useIsInBrowser()
  const zone = useTimeZone()
  if (!isInBrowser || timeZoneName() === 'UTC') return <TimeZoneNote />
  const other = zone === 'UTC' ? timeZoneName() : 'UTC'
  return (
    <Tooltip content={`Show times in ${zoneText(other)}`}>
      <button
        type="button"
        onClick={switchZone}
        className="min-h-6 rounded-control px-2 text-left text-ink3 text-tiny hover:text-ink"
      >
        Times in {zoneText(zone)}
      </button>
    </Tooltip>
  )
}
