'use client'

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { nextIndex } from './next-index'

/**
 * Arrow, page, Home and End keys move between rows, Enter opens one. One row at a time can be reached with Tab; a row
 * that is not drawn yet gets the focus when it is drawn. Rows have their index in `data-place`.
 */
export const useRowFocus = ({
  table,
  count,
  rowHeight,
  open,
  scrollTo,
}: {
  /** Null: not drawn yet. */
  table: HTMLElement | null
  count: number
  rowHeight: number
  open: (index: number) => void
  /** Brings a row into the window; without it the browser does. */
  scrollTo?: ((index: number) => void) | undefined
}) => {
  const [stop, setStop] = useState(0)
  const isFocusDue = useRef(false)
  useEffect(() => {
    if (!isFocusDue.current) return
    const row = table?.querySelector<HTMLElement>(`tr[data-place="${stop}"]`)
    if (row === null || row === undefined) return
    isFocusDue.current = false
    row.focus({ preventScroll: scrollTo !== undefined })
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!(event.target instanceof HTMLTableRowElement)) return
    const index = Number(event.target.dataset.place)
    const page = Math.max(1, Math.floor(window.innerHeight / rowHeight) - 4)
    const next = nextIndex(event.key, { index, count, page })
    if (next !== null) {
      isFocusDue.current = true
      setStop(next)
      scrollTo?.(next)
    } else if (event.key === 'Enter') open(index)
    else return
    event.preventDefault()
  }
  return { stop: Math.min(stop, Math.max(0, count - 1)), onKeyDown }
}
