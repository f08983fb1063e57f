import type { ReactNode } from 'react'
import { DataAgeNote } from './data-age-note'
import { SearchButton } from './search-button'
import { ThemeSwitch } from './theme-switch'

/** Title, one line of facts, the page's own actions; the data's age and the search stand on every page. */
export const PageHeader = ({
  title,
  sub,
  actions,
}: {
  title: ReactNode
  sub?: ReactNode
  actions?: ReactNode
}) => (
  <header className="mb-3 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
    <h1 className="m-0 min-w-0 break-words font-[650] text-title tracking-[-0.015em]">{title}</h1>
    {sub === undefined ? null : <p className="min-w-0 text-ink2">{sub}</p>}
    <div className="ml-auto flex flex-wrap items-center justify-end gap-2.5">
      <DataAgeNote />
      {actions}
      <SearchButton />
      <ThemeSwitch />
    </div>
  </header>
)
