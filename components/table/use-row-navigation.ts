'use client'

import { useRouter } from 'next/navigation'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { isShortcut } from '@/components/shell/shortcut-keys'
import { nextIndex } from './next-index'
import { scrollIntoWindow, useWindowLines } from './use-window-lines'

/** Rows drawn before and after the window. */
const OVERSCAN = 8
/** The header, which stays on top. */
const COVERED_TOP = 100
/** Lists with fewer rows are drawn completely, so that the browser's own search finds them. */
const DRAW_ALL_BELOW = 150
/** In pixels, for the page keys of a list whose rows have different heights. */
const ASSUMED_HEIGHT = 33

/** Index of the row that was clicked; null: a control in it, or text was selected. */
const clickedIndex = ({ target }: MouseEvent): number | null => {
  if (!(target instanceof Element) || target.closest('a, button, input, label') !== null) return null
  const index = target.closest<HTMLElement>('tr[data-index]')?.dataset.index
  return index === undefined || window.getSelection()?.isCollapsed === false ? null : Number(index)
}

/**
 * A list whose rows open a page, with a click or with Enter. Up, down, page, Home and End go from row to row, and one row at a time
 * can be reached with Tab. With a row height only the rows in the window are drawn; a row that is not drawn yet when the focus is
 * to go there gets it as soon as it is.
 */
export const useRowNavigation = <Row>({
  rows,
  path,
  rowHeight,
}: {
  rows: readonly Row[]
  path: (row: Row) => string
  /** In pixels, if all rows have the same. */
  rowHeight?: number
}) => {
  const router = useRouter()
  const [table, setTable] = useState<HTMLTableElement | null>(null)
  const [focused, setFocused] = useState(0)
  const isFocusDue = useRef(false)
  const count = rows.length
  const height = rowHeight ?? ASSUMED_HEIGHT
  const isWhole = rowHeight === undefined || count < DRAW_ALL_BELOW
  const shown = useWindowLines({
    body: table?.tBodies[0] ?? null,
    lineAtOffset: (offset) => (isWhole ? 0 : Math.max(0, Math.min(count - 1, Math.floor(offset / height)))),
  })
  useEffect(() => {
    if (!isFocusDue.current) return
    const row = table?.querySelector<HTMLElement>(`tr[data-index="${focused}"]`)
    if (row === null || row === undefined) return
    isFocusDue.current = false
    row.focus({ preventScroll: rowHeight !== undefined })
  })
  const open = (index: number) => {
    const row = rows[index]
    if (row !== undefined) router.push(path(row))
  }
  const moveTo = (index: number) => {
    isFocusDue.current = true
    setFocused(index)
    if (rowHeight === undefined) return
    const start = shown.top + index * height
    scrollIntoWindow({ start, end: start + height, coveredTop: COVERED_TOP })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!(event.target instanceof HTMLTableRowElement)) return
    const index = Number(event.target.dataset.index)
    const page = Math.max(1, Math.floor(window.innerHeight / height) - 4)
    const next = nextIndex(event.key, { index, count, page })
    if (next !== null) moveTo(next)
    else if (isShortcut(event, 'openRow')) open(index)
    else return
    event.preventDefault()
  }
  const onClick = (event: MouseEvent) => {
    const index = clickedIndex(event)
    if (index !== null) open(index)
  }
  const first = isWhole ? 0 : Math.max(0, shown.first - OVERSCAN)
  const last = isWhole ? count - 1 : Math.min(count - 1, shown.last + OVERSCAN)
  return {
    table: {
      ref: setTable,
      onKeyDown,
      onClick,
      ...(rowHeight === undefined ? {} : { 'aria-rowcount': count + 1 }),
    },
    /** The row that Tab reaches. */
    tabStop: Math.min(focused, Math.max(0, count - 1)),
    isNumbered: rowHeight !== undefined,
    first,
    last,
    /** Pixels of the rows that are not drawn. */
    before: first * height,
    after: Math.max(0, count - 1 - last) * height,
  }
}

export type RowNavigation = ReturnType<typeof useRowNavigation>
