'use client'

import { scrollIntoWindow, useWindowLines } from './use-window-lines'

/** Rows drawn before and after the window. */
const OVERSCAN = 8
/** The header, which stays on top. */
const COVERED_TOP = 100
/** Lists with fewer rows are drawn completely, so that the browser's own search finds them. */
const DRAW_ALL_BELOW = 150

/** The rows of a long list that are in the window, and the height of those before and after. Heights are in pixels. */
export const useRowWindow = ({
  body,
  count,
  rowHeight,
}: {
  body: HTMLElement | null
  count: number
  /** Undefined: the list is drawn completely. */
  rowHeight: number | undefined
}) => {
  const height = rowHeight ?? 0
  const isWhole = rowHeight === undefined || count < DRAW_ALL_BELOW
  const shown = useWindowLines({
    body,
    lineAtOffset: (offset) => (isWhole ? 0 : Math.max(0, Math.min(count - 1, Math.floor(offset / height)))),
  })
  const first = isWhole ? 0 : Math.max(0, shown.first - OVERSCAN)
  const last = isWhole ? count - 1 : Math.min(count - 1, shown.last + OVERSCAN)
  return {
    first,
    last,
    before: first * height,
    after: Math.max(0, count - 1 - last) * height,
    scrollTo: (index: number): void => {
      const start = shown.top + index * height
      scrollIntoWindow({ start, end: start + height, coveredTop: COVERED_TOP })
    },
  }
}
