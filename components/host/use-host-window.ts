'use client'

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { placeAfter } from '@/components/gpus/use-row-keys'

const ROW_HEIGHT = 33
/** Below this many hosts every row is drawn, so that the browser's own search finds them. */
const DRAW_ALL_BELOW = 150

/**
 * Rows of a long list: only those in the window are drawn. The keyboard goes from row to row and opens with Enter; the row
 * it stands on keeps the focus while the list scrolls.
 */
export const useHostWindow = ({ count, open }: { count: number; open: (place: number) => void }) => {
  const [body, setBody] = useState<HTMLTableSectionElement | null>(null)
  const [top, setTop] = useState(0)
  const [stop, setStop] = useState(0)
  const isFocusDue = useRef(false)
  useLayoutEffect(() => {
    if (body !== null) setTop(Math.round(body.getBoundingClientRect().top + window.scrollY))
  }, [body])
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: 100,
  })
  useEffect(() => {
    if (!isFocusDue.current) return
    const row = body?.querySelector<HTMLElement>(`tr[data-place="${stop}"]`)
    if (row === null || row === undefined) return
    isFocusDue.current = false
    row.focus({ preventScroll: true })
  })
  const isWhole = count < DRAW_ALL_BELOW
  const items = virtualizer.getVirtualItems()
  const first = isWhole ? 0 : (items[0]?.index ?? 0)
  const last = isWhole ? count - 1 : (items.at(-1)?.index ?? -1)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!(event.target instanceof HTMLTableRowElement)) return
    const place = Number(event.target.dataset.place)
    const page = Math.max(1, Math.floor(window.innerHeight / ROW_HEIGHT) - 4)
    const next = placeAfter(event.key, { place, count, page })
    if (next !== null) {
      isFocusDue.current = true
      setStop(next)
      virtualizer.scrollToIndex(next, { align: 'auto' })
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
