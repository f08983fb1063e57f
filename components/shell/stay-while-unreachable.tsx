'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toast } from '@/components/ui/toast-store'
import { isOutdated } from '@/lib/api/client'
import { freshnessOptions } from '@/lib/api/freshness'
import { useCloud } from './use-cloud'

const linkOf = (target: EventTarget | null): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest('a[href]') : null

/**
 * Without an answer Next turns a click on a link into a load of the whole page, and the browser's own error page then
 * replaces the last known numbers. So links of the console stay quiet while it is known not to answer.
 */
export const StayWhileUnreachable = () => {
  const { cloud } = useCloud()
  const { error } = useQuery(freshnessOptions({ cloud }))
  // Another build answers: a link then loads its page.
  const isUnreachable = error !== null && !isOutdated(error)
  useEffect(() => {
    if (!isUnreachable) return
    const stay = (event: MouseEvent) => {
      const link = linkOf(event.target)
      if (link === null || link.origin !== window.location.origin || link.hash !== '') return
      event.preventDefault()
      event.stopPropagation()
      toast.error('The console is not responding. This page is kept; try again later.')
    }
    document.addEventListener('click', stay, { capture: true })
    return () => document.removeEventListener('click', stay, { capture: true })
  }, [isUnreachable])
  return null
}
