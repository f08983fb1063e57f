'use client'

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { placeAfter } from '@/components/gpus/use-row-keys'

/**
 * Arrow, page, Home and End keys move between rows, Enter opens one. One row at a time can be reached with Tab; a row
 * that is not drawn yet gets the focus when it is drawn. Rows have their index in `data-place`.
 */
export const useRowFocus = ({
  body,
  count,
  rowHeight,
  open,
  onMove,
}: {
  /** What holds the rows; null: not drawn yet. */
  body: HTMLElement | null
  count: number
  rowHeight: number
  open: (place: number) => void
  /** Brings the row of a place into the window; without it the browser does. */
  onMove?: (place: number) => void
}) => {
  const [stop, setStop] = useState(0)
  const isFocusDue = useRef(false)
  useEffect(() => {
    if (!isFocusDue.current) return
    const row = body?.querySelector<HTMLElement>(`tr[data-place="${stop}"]`)
    if (row === null || row === undefined) return
    isFocusDue.current = false
    row.focus({ preventScroll: onMove !== undefined })
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!(event.target instanceof HTMLTableRowElement)) return
    const place = Number(event.target.dataset.place)
    const page = Math.max(1, Math.floor(window.innerHeight / rowHeight) - 4)
    const next = placeAfter(event.key, { place, count, page })
    if (next !== null) {
      isFocusDue.current = true
      setStop(next)
      onMove?.(next)
    } else if (event.key === 'Enter') open(place)
    else return
    event.preventDefault()
  }
  return { stop: Math.min(stop, Math.max(0, count - 1)), onKeyDown }
}
