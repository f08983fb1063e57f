'use client'

import { useCallback, useSyncExternalStore } from 'react'

/** Created once each: every line of a scrolled list uses them, and a new query makes the browser recalculate styles. */
const lists = new Map<string, MediaQueryList>()

const listOf = (query: string): MediaQueryList => {
  const list = lists.get(query) ?? window.matchMedia(query)
  lists.set(query, list)
  return list
}

/** Whether a media query holds; on the server, which knows no window, and while the page starts, `onServer`. */
export const useMedia = (query: string, { onServer }: { onServer: boolean }): boolean => {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = listOf(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => listOf(query).matches,
    () => onServer,
  )
}
