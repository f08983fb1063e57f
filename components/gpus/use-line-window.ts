'use client'

import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import type { Arranged } from './arrange-gpus'
import { isHeading, lineCount } from './lines'

const WIDE = '(min-width: 768px)'
const WITH_SIDEBAR = '(min-width: 1024px)'

/** Heights in pixels; the row and heading components draw the same. */
const ROW = { wide: 32, narrow: 84 }
const HEADING = 36
/** What stays on top while the page scrolls: header and column names, or the narrow bar. */
const STICKY = { sidebar: 90, bar: 75 }

/** The first page that the server draws fits most windows; the browser corrects it at once. */
const SERVER_WINDOW = { width: 1440, height: 700 }

/** Lines drawn when the page is printed; the CSV has all. */
export const MOST_PRINTED_LINES = 1500

const useMedia = (query: string, { onServer }: { onServer: boolean }): boolean =>
  useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => window.matchMedia(query).matches,
    () => onServer,
  )

/** Distance of an element from the top of the document, kept while what stands above it changes. */
const useTop = (element: HTMLElement | null): number => {
  const [top, setTop] = useState(0)
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

type DrawnLine = { line: number; start: number; end: number }

/** Which lines stand in the window now. The line of the keyboard's row stays drawn wherever the page is scrolled to. */
export const useLineWindow = (
  arranged: Arranged,
  { body, keptLine }: { body: HTMLElement | null; keptLine: number | null },
) => {
  const isWide = useMedia(WIDE, { onServer: true })
  const hasSidebar = useMedia(WITH_SIDEBAR, { onServer: true })
  const isOnPaper = useMedia('print', { onServer: false })
  const top = useTop(body)
  const rowHeight = isWide ? ROW.wide : ROW.narrow
  const count = lineCount(arranged)
  const estimateSize = (line: number) => (isHeading(arranged, line) ? HEADING : rowHeight)
  // Lines keep no key of their own: a new identity tells the virtualizer that all positions are new.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const getItemKey = useCallback((line: number) => line, [arranged, rowHeight])
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize,
    getItemKey,
    overscan: 2,
    initialRect: SERVER_WINDOW,
    scrollMargin: top,
    scrollPaddingStart: (hasSidebar ? STICKY.sidebar : STICKY.bar) + HEADING,
    scrollPaddingEnd: rowHeight,
    rangeExtractor: (range) => {
      const lines = defaultRangeExtractor(range)
      if (keptLine === null || keptLine >= count || lines.includes(keptLine)) return lines
      return [...lines, keptLine].toSorted((a, b) => a - b)
    },
  })
  const drawn: DrawnLine[] = isOnPaper
    ? Array.from({ length: Math.min(count, MOST_PRINTED_LINES) }, (_, line) => ({ line, start: 0, end: 0 }))
    : virtualizer
        .getVirtualItems()
        .map(({ index, start, end }) => ({ line: index, start: start - top, end: end - top }))
  return { drawn, total: isOnPaper ? 0 : virtualizer.getTotalSize(), virtualizer, rowHeight }
}
