'use client'

import { PageNotices } from './page-notices'
import { ShortcutsHost } from './shortcuts-host'
import { StayWhileUnreachable } from './stay-while-unreachable'

/** What each page does besides its content: notices, the connection and the shortcuts. */
export const PageWatchers = ({ hasSearch }: { hasSearch: boolean }) => (
  <>
    <ShortcutsHost hasSearch={hasSearch} />
    <StayWhileUnreachable />
    <PageNotices />
  </>
)
