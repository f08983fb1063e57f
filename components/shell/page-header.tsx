import type { ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'
import { DataAgeNote, PrintedContext } from './later-parts'
import { SearchButton } from './search-button'
import { ThemeSwitch } from './theme-switch'

/**
 * Title, one line of facts that gives way to it (a title that shrinks by the least part of a pixel is cut), the page's own
 * actions; the data's age and the search stand on every page. `isSubWhole`: the facts are never cut, the actions go below.
 */
export const PageHeader = ({
  title,
  sub,
  isSubWhole = false,
  actions,
}: {
  title: ReactNode
  sub?: ReactNode
  isSubWhole?: boolean
  actions?: ReactNode
}) => (
  <header
    className={classNames(
      'mb-2 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2 bg-bg lg:sticky lg:top-0 lg:z-20 lg:-mx-[22px] lg:-mt-4 lg:px-[22px] print:static print:mx-0 print:mt-0 print:h-auto print:px-0',
      isSubWhole ? 'lg:min-h-14 lg:py-2' : 'lg:h-14 lg:flex-nowrap',
    )}
  >
    <h1 className="m-0 min-w-0 break-words font-[650] text-title tracking-[-0.015em] lg:truncate">{title}</h1>
    {sub === undefined ? null : (
      <p className={classNames('min-w-0 text-ink2', !isSubWhole && 'lg:shrink-[99999] lg:truncate')}>{sub}</p>
    )}
    <PrintedContext />
    <div className="ml-auto flex flex-wrap items-center justify-end gap-2.5 lg:flex-none">
      <div className="max-lg:hidden print:block">
        <DataAgeNote />
      </div>
      {actions}
      <div className="contents max-lg:hidden">
        <SearchButton />
        <ThemeSwitch />
      </div>
    </div>
  </header>
)
