'use client'

import { useSyncExternalStore } from 'react'

const neverChanges = () => () => undefined

/** False on the server and while the page starts: what only the browser knows is drawn after that. */
export const useIsInBrowser = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
