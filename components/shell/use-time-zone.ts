'use client'

import { useSyncExternalStore } from 'react'
import { currentZone, subscribeToZone, zoneOnServer } from './time-zone-store'

/** IANA name of the zone in which times are shown; UTC on the server and while the page starts. */
export const useTimeZone = (): string => useSyncExternalStore(subscribeToZone, currentZone, zoneOnServer)
