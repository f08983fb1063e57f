'use client'

import { Menu } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { useMedia } from '@/components/ui/use-media'
import { DataAgeNote } from './later-parts'
import { Logo } from './logo'
import { SearchButton } from './search-button'
import { ThemeSwitch } from './theme-switch'

const NavDrawer = dynamic(() => import('./nav-drawer').then((module) => module.NavDrawer), { ssr: false })

/**
 * The bar that replaces the side navigation on a narrow screen. It is in the HTML of every page, hidden where the side
 * navigation is visible, and is removed there after the start of the page.
 */
export const NarrowNav = () => {
  const hasSidebar = useMedia('(min-width: 1024px)', { onServer: false })
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const open = () => {
    setWasOpened(true)
    setIsOpen(true)
  }
  if (hasSidebar) return null
  return (
    <header className="sticky top-0 z-30 flex h-[41px] items-center gap-2 border-line border-b bg-panel px-3 lg:hidden print:hidden">
      <Button
        variant="ghost"
        size="icon"
        aria-label="Open the navigation"
        aria-expanded={isOpen}
        onClick={open}
      >
        <Menu size={17} aria-hidden />
      </Button>
      <Logo />
      <span className="font-[650] text-lead max-sm:sr-only">Sliceboard</span>
      <div className="ml-auto flex min-w-0 items-center gap-1.5">
        <DataAgeNote />
        <SearchButton />
        <ThemeSwitch />
      </div>
      {wasOpened ? <NavDrawer isOpen={isOpen} onOpenChange={setIsOpen} /> : null}
    </header>
  )
}
