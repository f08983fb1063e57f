'use client'

import { Menu } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { DataAgeNote } from './data-age-note'
import { Logo } from './logo'
import { SearchButton } from './search-button'
import { ThemeSwitch } from './theme-switch'

const NavDrawer = dynamic(() => import('./nav-drawer').then((module) => module.NavDrawer), { ssr: false })

/** The bar that stands in for the side navigation on a narrow screen. */
export const NarrowNav = () => {
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const open = () => {
    setWasOpened(true)
    setIsOpen(true)
  }
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
