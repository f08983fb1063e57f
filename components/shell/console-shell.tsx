import type { ReactNode } from 'react'
import { NarrowNav } from './narrow-nav'
import { SearchHost } from './search-host'
import { SessionEnded } from './session-ended'
import { Sidebar } from './sidebar'
import { StayWhileUnreachable } from './stay-while-unreachable'

/** Navigation around a page. */
export const ConsoleShell = ({
  hasFleet,
  children,
}: {
  /** Whether the person may see the fleet, and so its age and the search. */
  hasFleet: boolean
  children: ReactNode
}) => (
  <div className="min-h-screen lg:grid lg:grid-cols-[204px_minmax(0,1fr)] print:block">
    <a
      href="#main"
      className="fixed top-2 left-2 z-[80] -translate-y-16 rounded-control border border-accent bg-panel px-3 py-1.5 font-semibold text-accent-ink focus:translate-y-0 print:hidden"
    >
      Skip to the content
    </a>
    <Sidebar />
    <NarrowNav hasFleet={hasFleet} />
    <main id="main" tabIndex={-1} className="min-w-0 px-3.5 pt-4 pb-8 outline-none sm:px-[22px] print:p-0">
      {children}
    </main>
    {hasFleet ? (
      <>
        <SearchHost />
        <StayWhileUnreachable />
      </>
    ) : null}
    <SessionEnded />
  </div>
)
