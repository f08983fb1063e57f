'use client'

import { useEffect } from 'react'
import { storeText } from '@/components/ui/stored-text'
import { Tooltip } from '@/components/ui/tooltip'
import { timeZoneName, zoneText } from '@/lib/util/format'
import { TimeZoneNote } from './time-zone-note'
import { currentZone, readZoneAgain, ZONE_STORAGE_KEY } from './time-zone-store'
import { useIsInBrowser } from './use-is-in-browser'
import { useTimeZone } from './use-time-zone'

const switchZone = (): void => {
  storeText(ZONE_STORAGE_KEY, currentZone() === 'UTC' ? null : 'UTC')
  readZoneAgain()
}

/** Other tabs follow. */
const follow = ({ key }: StorageEvent): void => {
  if (key === ZONE_STORAGE_KEY) readZoneAgain()
}

/** The zone of all times, and the switch between the reader's zone and UTC, which is remembered. */
export const TimeZoneSwitch = () => {
  const isInBrowser = useIsInBrowser()
  const zone = useTimeZone()
  useEffect(() => {
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [])
  if (!isInBrowser || timeZoneName() === 'UTC') return <TimeZoneNote />
  const other = zone === 'UTC' ? timeZoneName() : 'UTC'
  return (
    <Tooltip content={`Show times in ${zoneText(other)}`}>
      <button
        type="button"
        onClick={switchZone}
        className="min-h-6 min-w-0 truncate rounded-control pr-1 pl-2 text-left text-ink3 text-tiny hover:text-ink"
      >
        Times in {zoneText(zone)}
      </button>
    </Tooltip>
  )
}
