'use client'

import { Search } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'

const SearchDialog = dynamic(() => import('./search-dialog').then((module) => module.SearchDialog), {
  ssr: false,
})

/** Opens the search over the whole cloud; its code is fetched with the first use. */
export const SearchButton = () => {
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const open = () => {
    setWasOpened(true)
    setIsOpen(true)
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setWasOpened(true)
      setIsOpen((isNow) => !isNow)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        onClick={open}
        aria-keyshortcuts="Meta+K Control+K"
        className="inline-flex h-7 items-center gap-2 rounded-control border border-line bg-panel px-2.5 text-ink3 hover:border-edge max-xl:size-7 max-xl:justify-center max-xl:px-0 xl:w-[236px] print:hidden"
      >
        <Search size={14} aria-hidden className="xl:hidden" />
        <span className="max-xl:sr-only">Search hosts, GPUs, servers</span>
        <kbd aria-hidden className="ml-auto font-sans text-small max-xl:hidden">
          ⌘K
        </kbd>
      </button>
      {wasOpened ? <SearchDialog isOpen={isOpen} onOpenChange={setIsOpen} /> : null}
    </>
  )
}
