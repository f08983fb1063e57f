'use client'

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { placeAfter } from '@/components/gpus/use-row-keys'
import { scrollIntoWindow, useWindowLines } from '@/components/table/use-window-lines'

const ROW_HEIGHT = 33
/** Rows drawn before and after the window. */
const OVERSCAN = 8
/** The header, which stays on top. */
const COVERED_TOP = 100
/** Below this many hosts every row is drawn, so that the browser's own search finds them. */
const DRAW_ALL_BELOW = 150

/**
 * Rows of a long list: only those in the window are drawn. The keyboard goes from row to row and opens with Enter; the row
 * it stands on keeps the focus while the list scrolls.
 */
export const useHostWindow = ({ count, open }: { count: number; open: (place: number) => void }) => {
  const [body, setBody] = useState<HTMLTableSectionElement | null>(null)
  const [stop, setStop] = useState(0)
  const isFocusDue = useRef(false)
  const isWhole = count < DRAW_ALL_BELOW
  const shown = useWindowLines({
    body,
    lineAtOffset: (offset) =>
      isWhole ? 0 : Math.max(0, Math.min(count - 1, Math.floor(offset / ROW_HEIGHT))),
  })
  useEffect(() => {
    if (!isFocusDue.current) return
    const row = body?.querySelector<HTMLElement>(`tr[data-place="${stop}"]`)
    if (row === null || row === undefined) return
    isFocusDue.current = false
    row.focus({ preventScroll: true })
  })
  const first = isWhole ? 0 : Math.max(0, shown.first - OVERSCAN)
  const last = isWhole ? count - 1 : Math.min(count - 1, shown.last + OVERSCAN)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!(event.target instanceof HTMLTableRowElement)) return
    const place = Number(event.target.dataset.place)
    const page = Math.max(1, Math.floor(window.innerHeight / ROW_HEIGHT) - 4)
    const next = placeAfter(event.key, { place, count, page })
    if (next !== null) {
      isFocusDue.current = true
      setStop(next)
      const start = shown.top + next * ROW_HEIGHT
      scrollIntoWindow({ start, end: start + ROW_HEIGHT, coveredTop: COVERED_TOP })
    } else if (event.key === 'Enter') open(place)
    else return
    event.preventDefault()
  }
  return {
    setBody,
    stop: Math.min(stop, Math.max(0, count - 1)),
    first,
    last,
    before: first * ROW_HEIGHT,
    after: Math.max(0, count - 1 - last) * ROW_HEIGHT,
    onKeyDown,
  }
}
