import type { ReactNode } from 'react'
import { ArrivalFocus } from './arrival-focus'
import { NarrowNav } from './narrow-nav'
import { SearchHost } from './search-host'
import { SessionEnded } from './session-ended'
import { Sidebar } from './sidebar'
import { SkipLink } from './skip-link'
import { StayWhileUnreachable } from './stay-while-unreachable'

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
    <SearchHost />
    <StayWhileUnreachable />
    <SessionEnded />
  </div>
)
