import { readStoredText, storeText } from '@/components/ui/stored-text'
import { timeZoneName } from '@/lib/util/format'

const STORAGE_KEY = 'sliceboard-times'

let zone: string | null = null
const listeners = new Set<() => void>()

const set = (next: string): void => {
  zone = next
  for (const listener of listeners) listener()
}

const storedZone = (): string => (readStoredText(STORAGE_KEY) === 'UTC' ? 'UTC' : timeZoneName())

/** The zone in which times are shown: the reader's, unless the reader has switched to UTC. */
export const currentZone = (): string => {
  zone ??= storedZone()
  return zone
}

/** Known in the browser only. */
export const zoneOnServer = (): string => 'UTC'

/** Switches between the reader's zone and UTC, and remembers it. */
export const switchZone = (): void => {
  const isUtc = currentZone() !== 'UTC'
  storeText(STORAGE_KEY, isUtc ? 'UTC' : null)
  set(isUtc ? 'UTC' : timeZoneName())
}

/** Other tabs follow. */
const follow = ({ key }: StorageEvent): void => {
  if (key === STORAGE_KEY) set(storedZone())
}

export const subscribeToZone = (listener: () => void): (() => void) => {
  if (listeners.size === 0) window.addEventListener('storage', follow)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', follow)
  }
}
