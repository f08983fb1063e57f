'use client'

import dynamic from 'next/dynamic'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { searchToggle } from './search-store'
import { isShortcut } from './shortcut-keys'

const SearchDialog = dynamic(() => import('./search-dialog').then((module) => module.SearchDialog), {
  ssr: false,
})

/** Rendered once in the console's layout. The dialog's code is loaded at its first use. */
export const SearchHost = () => {
  const isOpen = useSyncExternalStore(
    searchToggle.subscribe,
    searchToggle.isOpen,
    searchToggle.isOpenOnServer,
  )
  const [wasOpened, setWasOpened] = useState(false)
  if (isOpen && !wasOpened) setWasOpened(true)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event, 'search')) return
      event.preventDefault()
      searchToggle.set(!searchToggle.isOpen())
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return wasOpened ? <SearchDialog isOpen={isOpen} onOpenChange={searchToggle.set} /> : null
}
