'use client'

import dynamic from 'next/dynamic'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { isSearchOpen, isSearchOpenOnServer, setSearchOpen, subscribeToSearch } from './search-store'

const SearchDialog = dynamic(() => import('./search-dialog').then((module) => module.SearchDialog), {
  ssr: false,
})

/** Rendered once in the console's layout. The dialog's code is loaded at its first use. */
export const SearchHost = () => {
  const isOpen = useSyncExternalStore(subscribeToSearch, isSearchOpen, isSearchOpenOnServer)
  const [wasOpened, setWasOpened] = useState(false)
  if (isOpen && !wasOpened) setWasOpened(true)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setSearchOpen(!isSearchOpen())
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return wasOpened ? <SearchDialog isOpen={isOpen} onOpenChange={setSearchOpen} /> : null
}
