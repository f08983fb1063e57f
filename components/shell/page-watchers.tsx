'use client'

import { ArrivalFocus } from './arrival-focus'
import { PageNotices } from './page-notices'
import { SearchHost } from './search-host'
import { ShortcutsHost } from './shortcuts-host'
import { StayWhileUnreachable } from './stay-while-unreachable'

/** What each page does in addition to its content: notices, the connection, the focus after a navigation, search and shortcuts. */
export const PageWatchers = ({ hasSearch }: { hasSearch: boolean }) => (
  <>
    <ArrivalFocus />
    {hasSearch ? <SearchHost /> : null}
    <ShortcutsHost hasSearch={hasSearch} />
    <StayWhileUnreachable />
    <PageNotices />
  </>
)
