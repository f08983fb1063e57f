'use client'

import { type ReactNode, useId, useSyncExternalStore } from 'react'
import { Button, buttonStyle } from '@/components/ui/button'
import { newBuild } from '@/lib/api/new-build'
import type { createNotice } from '@/lib/api/notice'
import { sessionEnd } from '@/lib/api/session-end'
import { loginPath } from '@/lib/util/paths'

const here = () => `${window.location.pathname}${window.location.search}`

const NoticeBar = ({
  notice: { subscribe, current, none },
  label,
  children,
}: {
  notice: ReturnType<typeof createNotice>
  label: string
  children: () => ReactNode
}) => {
  const id = useId()
  const sentence = useSyncExternalStore(subscribe, current, none)
  if (sentence === null) return null
  return (
    <div
      role="alertdialog"
      aria-label={label}
      aria-describedby={id}
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-warn border-t bg-warn2 px-4 py-3 shadow-float"
    >
      <p id={id}>{sentence}</p>
      {children()}
    </div>
  )
}

/**
 * Shows that the session has ended, or that the console was updated, with the way to continue. The page stays, so no input
 * is lost.
 */
export const PageNotices = () => (
  <div className="fixed inset-x-0 bottom-0 z-[70] print:hidden">
    <NoticeBar notice={newBuild} label="New version">
      {() => (
        <Button variant="main" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      )}
    </NoticeBar>
    <NoticeBar notice={sessionEnd} label="Signed out">
      {() => (
        <a href={loginPath({ next: here() })} className={buttonStyle({ variant: 'main' })}>
          Sign in again
        </a>
      )}
    </NoticeBar>
  </div>
)
