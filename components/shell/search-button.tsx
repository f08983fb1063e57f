'use client'

import { useSyncExternalStore } from 'react'
import { searchToggle } from './search-store'

const neverChanges = () => () => undefined
const isApple = () => /^(Mac|iP)/.test(navigator.platform)

/** Opens the search over the whole cloud. */
export const SearchButton = () => {
  const hasCommandKey = useSyncExternalStore(neverChanges, isApple, () => false)
  return (
    <button
      type="button"
      onClick={() => searchToggle.set(true)}
      aria-keyshortcuts="Meta+K Control+K"
      className="inline-flex h-7 items-center gap-2 rounded-control border border-line bg-panel px-2.5 text-ink3 hover:border-edge max-xl:icon-search max-xl:size-7 max-xl:justify-center max-xl:px-0 xl:w-[252px] print:hidden"
    >
      <span className="whitespace-nowrap max-xl:sr-only">Search or run a command</span>
      <kbd aria-hidden className="ml-auto whitespace-nowrap font-sans text-small max-xl:hidden">
        {hasCommandKey ? '⌘K' : 'Ctrl K'}
      </kbd>
    </button>
  )
}
