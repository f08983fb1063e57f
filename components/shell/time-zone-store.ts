import { readStoredText } from '@/components/ui/stored-text'
import { timeZoneName } from '@/lib/util/format'

/** `UTC`, or nothing. */
export const ZONE_STORAGE_KEY = 'sliceboard-times'

let zone: string | null = null
const listeners = new Set<() => void>()

const storedZone = (): string => (readStoredText(ZONE_STORAGE_KEY) === 'UTC' ? 'UTC' : timeZoneName())

/** The zone in which times are shown: the reader's, unless the reader has switched to UTC. */
export const currentZone = (): string => {
  zone ??= storedZone()
  return zone
}

/** Known in the browser only. */
export const zoneOnServer = (): string => 'UTC'

/** The choice was stored. */
export const readZoneAgain = (): void => {
  zone = storedZone()
  for (const listener of listeners) listener()
}

export const subscribeToZone = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
