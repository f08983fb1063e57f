'use client'

import { PageNotices } from './page-notices'
import { SearchHost } from './search-host'
import { ShortcutsHost } from './shortcuts-host'
import { StayWhileUnreachable } from './stay-while-unreachable'

/** What each page does in addition to its content: notices, the connection, search and shortcuts. */
export const PageWatchers = ({ hasSearch }: { hasSearch: boolean }) => (
  <>
    {hasSearch ? <SearchHost /> : null}
    <ShortcutsHost hasSearch={hasSearch} />
    <StayWhileUnreachable />
    <PageNotices />
  </>
)
