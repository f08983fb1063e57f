import type { ReactNode } from 'react'
import { BlindBanner } from '@/components/shell/blind-banner'
import { NarrowNav } from '@/components/shell/narrow-nav'
import { SearchHost } from '@/components/shell/search-host'
import { Sidebar } from '@/components/shell/sidebar'
import { StayWhileUnreachable } from '@/components/shell/stay-while-unreachable'

const ConsoleLayout = ({ children }: { children: ReactNode }) => (
  <div className="min-h-screen lg:grid lg:grid-cols-[204px_minmax(0,1fr)] print:block">
    <a
      href="#main"
      className="fixed top-2 left-2 z-[80] -translate-y-16 rounded-control border border-accent bg-panel px-3 py-1.5 font-semibold text-accent-ink focus:translate-y-0"
    >
      Skip to the content
    </a>
    <Sidebar />
    <NarrowNav />
    <main id="main" tabIndex={-1} className="min-w-0 px-3.5 pt-4 pb-8 outline-none sm:px-[22px] print:p-0">
      <BlindBanner />
      {children}
    </main>
    <SearchHost />
    <StayWhileUnreachable />
  </div>
)

export default ConsoleLayout
