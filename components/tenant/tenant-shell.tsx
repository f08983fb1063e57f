import type { ReactNode } from 'react'
import { AccountMenu } from '@/components/shell/account-menu'
import { ArrivalFocus } from '@/components/shell/arrival-focus'
import { NavFooter, PageWatchers } from '@/components/shell/later-parts'
import { Logo } from '@/components/shell/logo'
import { SkipLink } from '@/components/shell/skip-link'
import { ThemeSwitch } from '@/components/shell/theme-switch'
import { TenantNav } from './tenant-nav'

/** Navigation around a page, for those who work in a project. */
export const TenantShell = ({ children }: { children: ReactNode }) => (
  <div className="min-h-screen">
    <SkipLink />
    <header className="sticky top-0 z-30 border-line border-b bg-panel print:hidden">
      <div className="mx-auto flex max-w-[1232px] flex-wrap items-center gap-x-4 px-3.5 sm:px-[22px]">
        <div className="flex h-[54px] items-center gap-[9px] font-[650] text-[14px]">
          <Logo />
          <span className="max-[400px]:sr-only">Sliceboard</span>
        </div>
        <TenantNav />
        <div className="ml-auto flex min-w-0 items-center gap-2">
          <span className="lg:hidden">
            <ThemeSwitch />
          </span>
          <div className="w-[190px] min-w-0">
            <AccountMenu side="bottom" />
          </div>
        </div>
      </div>
    </header>
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto min-w-0 max-w-[1232px] px-3.5 pt-4 pb-8 outline-none sm:px-[22px] print:p-0"
    >
      {children}
    </main>
    <footer className="mx-auto max-w-[1232px] px-3.5 pb-3 sm:px-[22px] print:hidden">
      <NavFooter />
    </footer>
    <ArrivalFocus />
    <PageWatchers hasSearch={false} />
  </div>
)
