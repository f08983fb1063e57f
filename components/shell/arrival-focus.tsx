'use client'

import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'

/** Nothing has the focus since what had it is gone; the page itself has it after an arrival. */
export const isFocusLost = (): boolean =>
  document.activeElement === null ||
  document.activeElement === document.body ||
  document.activeElement.id === 'main'

/** The link of this page to the one that was left, or its row where rows have the focus. */
const elementFor = (pathname: string): HTMLElement | null => {
  const links = document.querySelectorAll<HTMLAnchorElement>('#main a[href]')
  const link = [...links].find((one) => decodeURI(one.pathname) === decodeURI(pathname))
  return link?.closest<HTMLElement>('tr[tabindex]') ?? link ?? null
}

/**
 * Sets the keyboard focus of a new page: to its content, and on the way back to the link that was followed. An existing
 * focus, such as in the navigation, stays.
 */
export const ArrivalFocus = () => {
  const pathname = usePathname()
  const left = useRef(pathname)
  const backTo = useRef<string | null>(null)
  useEffect(() => {
    const keep = () => {
      backTo.current = window.location.pathname
    }
    window.addEventListener('popstate', keep)
    return () => window.removeEventListener('popstate', keep)
  }, [])
  useEffect(() => {
    if (left.current === pathname) return
    const from = left.current
    const isBack = backTo.current === window.location.pathname
    left.current = pathname
    backTo.current = null
    if (!isFocusLost()) return
    const element = (isBack ? elementFor(from) : null) ?? document.getElementById('main')
    element?.focus({ preventScroll: true })
  }, [pathname])
  return null
}
