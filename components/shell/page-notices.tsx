'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useSyncExternalStore } from 'react'
import { Button, buttonStyle } from '@/components/ui/button'
import { connection } from '@/lib/api/connection'
import { forgetUnreachable } from '@/lib/api/forget-unreachable'
import { newBuild } from '@/lib/api/new-build'
import { sessionEnd } from '@/lib/api/session-end'
import { watchConnection } from '@/lib/api/watch-connection'
import { loginPath } from '@/lib/util/paths'
import { useIsConnectionLost } from './use-is-connection-lost'

const here = () => `${window.location.pathname}${window.location.search}${window.location.hash}`

const NoticeBar = ({
  label,
  sentence,
  children,
}: {
  label: string
  sentence: string
  children?: ReactNode
}) => {
  const id = useId()
  return (
    <div
      role="alertdialog"
      aria-label={label}
      aria-describedby={id}
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-warn border-t bg-warn2 px-4 py-3 shadow-float"
    >
      <p id={id}>{sentence}</p>
      {children}
    </div>
  )
}

const LOST =
  'The console is not responding. This page is kept, and its links work again when the connection is restored.'

/**
 * One notice at a time: that the console does not answer, that it was updated, or that the session has ended, with the way
 * to continue. The page stays, so no input is lost. Without an answer neither a reload nor a sign-in is possible, and a
 * reload also leads to the sign-in.
 */
const PageNotice = () => {
  const isLost = useIsConnectionLost()
  const build = useSyncExternalStore(newBuild.subscribe, newBuild.current, newBuild.none)
  const end = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.current, sessionEnd.none)
  if (isLost) return <NoticeBar label="No connection" sentence={LOST} />
  if (build !== null)
    return (
      <NoticeBar label="New version" sentence={build}>
        <Button variant="main" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      </NoticeBar>
    )
  if (end === null) return null
  return (
    <NoticeBar label="Signed out" sentence={end}>
      <a href={loginPath({ next: here() })} className={buttonStyle({ variant: 'main' })}>
        Sign in again
      </a>
    </NoticeBar>
  )
}

/** The notices of a page, which also watch the connection and refresh the page when it is restored. */
export const PageNotices = () => {
  const client = useQueryClient()
  useEffect(() => watchConnection(connection), [])
  useEffect(
    () => connection.subscribe(() => (connection.isLost() ? undefined : forgetUnreachable(client))),
    [client],
  )
  return (
    <div aria-live="assertive" className="fixed inset-x-0 bottom-0 z-[70] print:hidden">
      <PageNotice />
    </div>
  )
}
