'use client'

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { placeAfter } from '@/components/gpus/use-row-keys'

const ROW_HEIGHT = 33

/** Up, down, page, Home and End go from row to row, Enter opens. One row at a time can be reached with Tab. */
export const useRowFocus = ({ count, open }: { count: number; open: (place: number) => void }) => {
  const table = useRef<HTMLTableElement>(null)
  const [stop, setStop] = useState(0)
  const isFocusDue = useRef(false)
  useEffect(() => {
    if (!isFocusDue.current) return
    isFocusDue.current = false
    table.current?.querySelector<HTMLElement>(`tr[data-place="${stop}"]`)?.focus()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!(event.target instanceof HTMLTableRowElement)) return
    const place = Number(event.target.dataset.place)
    const page = Math.max(1, Math.floor(window.innerHeight / ROW_HEIGHT) - 4)
    const next = placeAfter(event.key, { place, count, page })
    if (next !== null) {
      isFocusDue.current = true
      setStop(next)
    } else if (event.key === 'Enter') open(place)
    else return
    event.preventDefault()
  }
  return { table, stop: Math.min(stop, Math.max(0, count - 1)), onKeyDown }
}
