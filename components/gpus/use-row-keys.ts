'use client'

import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { cellCounts, cellTotal } from '@/components/gpu/bar-cells'
import { isFocusLost } from '@/components/shell/arrival-focus'
import { isShortcut } from '@/components/shell/shortcut-keys'
import { nextIndex } from '@/components/table/next-index'
import { findRow, gpuRowAt } from '@/lib/domain/gpu-list/gpu-store'
import { lineOfPosition } from '@/lib/domain/gpu-list/lines'
import { takeOpenedRow } from './opened-row'
import type { GpuView } from './use-gpu-view'
import type { ShownGpu } from './use-shown-gpu'

type Scroller = { scrollToLine: (line: number) => void; rowHeight: number }

/**
 * The keyboard in the list: up, down, page, Home and End go from row to row, left and right through the cells of the row's
 * bar, Enter opens the drawer, Space and x select (with Shift from the last one on), Escape leaves the cells.
 */
export const useRowKeys = ({
  view,
  body,
  shown,
  toggle,
  open,
}: {
  view: GpuView
  body: HTMLElement | null
  /** Of the drawer. */
  shown: ShownGpu | null
  toggle: (index: number, isRange: boolean) => void
  open: (index: number) => void
}) => {
  const { store, rows } = view
  const [active, setActive] = useState<{ host: string; address: string; cell: number | null } | null>(null)
  /** Place that the focus goes to as soon as its row is drawn. */
  const focusDue = useRef<number | null>(null)
  const isReturning = useRef(false)
  const scroller = useRef<Scroller | null>(null)
  const index = useMemo(() => {
    const row = active === null ? null : findRow(store, active)
    const found = row === null ? -1 : rows.indexOf(row)
    return found < 0 ? null : found
  }, [store, rows, active])

  const setPosition = (next: number, cell: number | null = null) => {
    const { host, address } = gpuRowAt(store, rows[next] ?? -1)
    setActive({ host, address, cell })
  }

  // Back on the list, the focus returns to the row that was opened from it.
  const returnTo = useCallback((gpu: ShownGpu | null) => {
    if (gpu === null || !isFocusLost()) return
    isReturning.current = true
    setActive({ ...gpu, cell: null })
  }, [])
  useEffect(() => {
    if (body !== null) returnTo(takeOpenedRow())
  }, [body, returnTo])

  // The focus also returns when the drawer is closed.
  const lastShown = useRef<ShownGpu | null>(null)
  useEffect(() => {
    if (shown === null) returnTo(lastShown.current)
    lastShown.current = shown
  }, [shown, returnTo])

  useEffect(() => {
    if (index !== null && isReturning.current) {
      isReturning.current = false
      focusDue.current = index
    }
    if (index === null || focusDue.current !== index) return
    const row = body?.querySelector<HTMLElement>(`tr[data-index="${index}"]`)
    if (row === null || row === undefined) return
    focusDue.current = null
    row.focus({ preventScroll: true })
  })

  const moveTo = (next: number) => {
    focusDue.current = next
    setPosition(next)
    if (next === 0) window.scrollTo({ top: 0 })
    else scroller.current?.scrollToLine(lineOfPosition(view, next))
  }

  const moveCell = (at: number, step: number) => {
    const counts = cellCounts(gpuRowAt(store, rows[at] ?? -1))
    if (counts === null) return
    const last = cellTotal(counts) - 1
    const present = active?.cell ?? (step > 0 ? -1 : last + 1)
    setPosition(at, Math.max(0, Math.min(last, present + step)))
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const at = index ?? 0
    if (rows.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return
    if (!(event.target instanceof HTMLTableRowElement)) return
    const page = Math.max(1, Math.floor(window.innerHeight / (scroller.current?.rowHeight ?? 32)) - 4)
    const next = nextIndex(event.key, { index: at, count: rows.length, page })
    if (next !== null) moveTo(next)
    else if (isShortcut(event, 'nextCell')) moveCell(at, 1)
    else if (isShortcut(event, 'previousCell')) moveCell(at, -1)
    else if (isShortcut(event, 'openRow')) open(at)
    else if (isShortcut(event, 'selectRow')) toggle(at, false)
    else if (isShortcut(event, 'selectRows')) toggle(at, true)
    else if (isShortcut(event, 'leave') && active?.cell !== null) setPosition(at)
    else return
    event.preventDefault()
  }

  const onFocus = (event: FocusEvent) => {
    if (!(event.target instanceof HTMLTableRowElement)) return
    const at = Number(event.target.dataset.index)
    if (at !== index) setPosition(at)
  }

  return {
    index,
    cell: active?.cell ?? null,
    setPosition,
    onKeyDown,
    onFocus,
    connect: (next: Scroller) => {
      scroller.current = next
    },
  }
}
