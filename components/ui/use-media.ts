'use client'

import { useCallback, useSyncExternalStore } from 'react'

/** Asked for once each: a list that is scrolled asks with every line, and a new answer has the page's styles looked at. */
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
