'use client'

import { useEffect } from 'react'
import { useIsConnectionLost } from './use-is-connection-lost'

const linkOf = (target: EventTarget | null): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest('a[href]') : null

/**
 * Without an answer Next turns a click on a link into a load of the whole page, and the browser's own error page then
 * replaces the last known numbers. So links of the console stay quiet while it is known not to answer; the notice of the
 * lost connection reports that.
 */
export const StayWhileUnreachable = () => {
  const isLost = useIsConnectionLost()
  useEffect(() => {
    if (!isLost) return
    const stay = (event: MouseEvent) => {
      const link = linkOf(event.target)
      if (link === null || link.origin !== window.location.origin || link.hash !== '') return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('click', stay, { capture: true })
    return () => document.removeEventListener('click', stay, { capture: true })
  }, [isLost])
  return null
}
