'use client'

import dynamic from 'next/dynamic'
import { useEffect, useSyncExternalStore } from 'react'
import { isShortcut } from './shortcut-keys'
import { shortcutsToggle } from './shortcuts-store'

const ShortcutsDialog = dynamic(() => import('./shortcuts-dialog').then((module) => module.ShortcutsDialog), {
  ssr: false,
})

/** Where a key is text. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Opens the list of shortcuts with its key; `hasSearch`: the page has the search. */
export const ShortcutsHost = ({ hasSearch }: { hasSearch: boolean }) => {
  const isOpen = useSyncExternalStore(
    shortcutsToggle.subscribe,
    shortcutsToggle.isOpen,
    shortcutsToggle.isOpenOnServer,
  )
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event, 'shortcuts') || isField(event.target)) return
      event.preventDefault()
      shortcutsToggle.set(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return isOpen ? <ShortcutsDialog hasSearch={hasSearch} /> : null
}
