import type { ReactNode } from 'react'
import { AccountMenu } from './account-menu'
import { ArrivalFocus } from './arrival-focus'
import { CloudSwitcher } from './cloud-switcher'
import { NavFooter, PageWatchers } from './later-parts'
import { Logo } from './logo'
import { NarrowNav } from './narrow-nav'
import { NavLinks } from './nav-links'
import { SkipLink } from './skip-link'

const Sidebar = () => (
  <nav
    aria-label="Console"
    className="sticky top-0 flex h-screen flex-col gap-3.5 overflow-y-auto border-line border-r bg-panel px-2.5 py-3.5 max-lg:hidden print:hidden"
  >
    <div className="flex items-center gap-[9px] px-1.5 py-0.5 font-[650] text-[14px]">
      <Logo />
      Sliceboard
    </div>
    <CloudSwitcher />
    <NavLinks />
    <footer className="mt-auto flex flex-col gap-2">
      <AccountMenu />
      <NavFooter />
    </footer>
  </nav>
)

/** Navigation around a page, for those who may see the fleet. */
export const ConsoleShell = ({ children }: { children: ReactNode }) => (
  <div className="min-h-screen lg:grid lg:grid-cols-[204px_minmax(0,1fr)] print:block">
    <SkipLink />
    <Sidebar />
    <NarrowNav />
    <main id="main" tabIndex={-1} className="min-w-0 px-3.5 pt-4 pb-8 outline-none sm:px-[22px] print:p-0">
      {children}
    </main>
    <ArrivalFocus />
    <PageWatchers hasSearch />
  </div>
)
