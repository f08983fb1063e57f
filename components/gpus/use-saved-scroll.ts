'use client'

import { useEffect } from 'react'

/** Reading the position and saving it costs a frame, so both wait until scrolling has stopped. */
const SETTLED_MS = 200

const keyOf = () => `scroll ${window.location.pathname}${window.location.search}`

/** Comes back to where the list was left, once there are rows to scroll over. Kept for this tab only. */
export const useSavedScroll = (isReady: boolean): void => {
  useEffect(() => {
    if (!isReady) return
    const saved = Number(window.sessionStorage.getItem(keyOf()) ?? 0)
    if (saved > 0 && window.scrollY === 0) window.scrollTo(0, saved)
    let timer: ReturnType<typeof setTimeout> | null = null
    let movedAt = 0
    const save = () => {
      const rest = SETTLED_MS - (performance.now() - movedAt)
      timer = rest > 0 ? setTimeout(save, rest) : null
      if (timer === null) window.sessionStorage.setItem(keyOf(), String(Math.round(window.scrollY)))
    }
    const onScroll = () => {
      movedAt = performance.now()
      timer ??= setTimeout(save, SETTLED_MS)
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      window.removeEventListener('scroll', onScroll)
      if (timer !== null) clearTimeout(timer)
    }
  }, [isReady])
}
