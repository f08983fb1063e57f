'use client'

import { useLayoutEffect, useState, useSyncExternalStore } from 'react'

/** As the last event found them: reading them while rows are being drawn would force a layout. */
let seen = { top: 0, height: 0 }
const listeners = new Set<() => void>()

const look = (): void => {
  seen = { top: window.scrollY, height: window.innerHeight }
}
const onMove = (): void => {
  look()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    look()
    window.addEventListener('scroll', onMove, { passive: true })
    window.addEventListener('resize', onMove)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('scroll', onMove)
    window.removeEventListener('resize', onMove)
  }
}

const seenNow = (): { top: number; height: number } => {
  if (listeners.size === 0) look()
  return seen
}

/** Where a list begins and how much of it the server draws; the browser corrects both at once. */
const FIRST_GUESS = { top: 282, height: 980 }

/** Distance of an element from the top of the document, updated when content above it changes. */
const useTop = (element: HTMLElement | null): number => {
  const [top, setTop] = useState(FIRST_GUESS.top)
  useLayoutEffect(() => {
    if (element === null) return
    const measure = () => setTop(Math.round(element.getBoundingClientRect().top + window.scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return top
}

/**
 * First and last line of a long list that are in the window. Lines have known heights, so their places are arithmetic and
 * 80,000 of them cost nothing; the caller is drawn again only when another line comes into the window.
 */
export const useWindowLines = ({
  body,
  coveredTop = 0,
  lineAtOffset,
}: {
  body: HTMLElement | null
  /** Height in pixels of a cover at the window's top: lines below it are not drawn. */
  coveredTop?: number
  /** The line at a distance from the list's top; outside of the list the nearest. */
  lineAtOffset: (offset: number) => number
}): { first: number; last: number; top: number } => {
  const top = useTop(body)
  const first = useSyncExternalStore(
    subscribe,
    () => lineAtOffset(seenNow().top + coveredTop - top),
    () => lineAtOffset(0),
  )
  const last = useSyncExternalStore(
    subscribe,
    () => lineAtOffset(seenNow().top + seenNow().height - top),
    () => lineAtOffset(FIRST_GUESS.height - FIRST_GUESS.top),
  )
  return { first, last, top }
}

/** Scrolls no farther than needed to bring a stretch of the document out from under what covers the window's edges. */
export const scrollIntoWindow = ({
  start,
  end,
  coveredTop,
  coveredBottom = 0,
}: {
  start: number
  end: number
  coveredTop: number
  coveredBottom?: number
}): void => {
  const { scrollY, innerHeight } = window
  if (start - coveredTop < scrollY) window.scrollTo({ top: start - coveredTop })
  else if (end + coveredBottom > scrollY + innerHeight)
    window.scrollTo({ top: end + coveredBottom - innerHeight })
}
