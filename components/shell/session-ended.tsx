'use client'

import { useSyncExternalStore } from 'react'
import { buttonStyle } from '@/components/ui/button'
import { noSessionEnd, sessionEndSentence, subscribeToSessionEnd } from '@/lib/api/session-end'
import { loginPath } from '@/lib/util/paths'

const here = () => `${window.location.pathname}${window.location.search}`

/**
 * Shows that the session has ended and links to a sign-in that returns to this page. The page stays, so no input is lost.
 */
export const SessionEnded = () => {
  const sentence = useSyncExternalStore(subscribeToSessionEnd, sessionEndSentence, noSessionEnd)
  if (sentence === null) return null
  return (
    <div
      role="alertdialog"
      aria-label="Signed out"
      aria-describedby="session-ended"
      className="fixed inset-x-0 bottom-0 z-[70] flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-warn border-t bg-warn2 px-4 py-3 shadow-float print:hidden"
    >
      <p id="session-ended">{sentence}</p>
      <a href={loginPath({ next: here() })} className={buttonStyle({ variant: 'main' })}>
        Sign in again
      </a>
    </div>
  )
}
