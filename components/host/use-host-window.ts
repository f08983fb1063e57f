'use client'

import { useState } from 'react'
import { useRowFocus } from '@/components/table/use-row-focus'
import { scrollIntoWindow, useWindowLines } from '@/components/table/use-window-lines'

const ROW_HEIGHT = 33
/** Rows drawn before and after the window. */
const OVERSCAN = 8
/** The header, which stays on top. */
const COVERED_TOP = 100
/** Below this many hosts every row is drawn, so that the browser's own search finds them. */
const DRAW_ALL_BELOW = 150

/**
 * Rows of a long list: only those in the window are drawn. Arrow keys move between rows and Enter opens one; the focused
 * row keeps the focus while the list scrolls.
 */
export const useHostWindow = ({ count, open }: { count: number; open: (place: number) => void }) => {
  const [body, setBody] = useState<HTMLTableSectionElement | null>(null)
  const isWhole = count < DRAW_ALL_BELOW
  const shown = useWindowLines({
    body,
    lineAtOffset: (offset) =>
      isWhole ? 0 : Math.max(0, Math.min(count - 1, Math.floor(offset / ROW_HEIGHT))),
  })
  const { stop, onKeyDown } = useRowFocus({
    body,
    count,
    rowHeight: ROW_HEIGHT,
    open,
    onMove: (place) => {
      const start = shown.top + place * ROW_HEIGHT
      scrollIntoWindow({ start, end: start + ROW_HEIGHT, coveredTop: COVERED_TOP })
    },
  })
  const first = isWhole ? 0 : Math.max(0, shown.first - OVERSCAN)
  const last = isWhole ? count - 1 : Math.min(count - 1, shown.last + OVERSCAN)
  return {
    setBody,
    stop,
    first,
    last,
    before: first * ROW_HEIGHT,
    after: Math.max(0, count - 1 - last) * ROW_HEIGHT,
    onKeyDown,
  }
}
