import type { ReactNode } from 'react'
import { ThemeSwitch } from './theme-switch'

/** Head of a page that shows nothing of the fleet, so it has neither the data's age nor the search. */
export const PageTitle = ({ title, sub, actions }: { title: string; sub?: string; actions?: ReactNode }) => (
  <header className="mb-2 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2 lg:-mt-4 lg:h-14">
    <h1 className="m-0 min-w-0 font-[650] text-title tracking-[-0.015em]">{title}</h1>
    {sub === undefined ? null : <p className="min-w-0 text-ink2">{sub}</p>}
    <div className="ml-auto flex items-center gap-2.5">
      {actions}
      <span className="max-lg:hidden">
        <ThemeSwitch />
      </span>
    </div>
  </header>
)
