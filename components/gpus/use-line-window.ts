'use client'

import { scrollIntoWindow, useWindowLines } from '@/components/table/use-window-lines'
import { useMedia } from '@/components/ui/use-media'
import type { Arranged } from '@/lib/domain/gpu-list/arrange-gpus'
import {
  groupOfLine,
  lineAt,
  lineAtOffset,
  lineCount,
  lineOfPosition,
  offsetOfLine,
} from '@/lib/domain/gpu-list/lines'

const WIDE = '(min-width: 768px)'
const WITH_SIDEBAR = '(min-width: 1024px)'

/** Heights in pixels; the row and heading components draw the same. */
const ROW = { wide: 32, narrow: 72 }
const HEADING = { wide: 36, narrow: 60 }
/** What stays on top while the page scrolls: header and column names, or the narrow bar with and without them. */
const STICKY = { sidebar: 90, bar: 75, narrow: 41 }

/** Lines drawn after the window, so that who reads on finds one there; those before it lie under the headings. */
const LINES_AFTER = 1

/** Lines drawn when the page is printed; the CSV has all. */
export const MAX_PRINTED_LINES = 1500

/** In pixels from the list's top. A heading ends where its group does: it stays in sight as long as its rows. */
type DrawnLine = { line: number; start: number; end: number }

/**
 * Which lines are in the window now. The line of the keyboard's row stays drawn wherever the page is scrolled to, and the
 * heading of the group as long as its rows are.
 */
export const useLineWindow = (
  arranged: Arranged,
  { body, focusedLine }: { body: HTMLElement | null; focusedLine: number | null },
) => {
  const isWide = useMedia(WIDE, { onServer: true })
  const hasSidebar = useMedia(WITH_SIDEBAR, { onServer: true })
  const isOnPaper = useMedia('print', { onServer: false })
  const heights = isWide
    ? { row: ROW.wide, heading: HEADING.wide }
    : { row: ROW.narrow, heading: HEADING.narrow }
  const count = lineCount(arranged)
  const coveredTop = isWide ? (hasSidebar ? STICKY.sidebar : STICKY.bar) : STICKY.narrow
  const inWindow = useWindowLines({
    body,
    coveredTop,
    lineAtOffset: (offset) => lineAtOffset(arranged, offset, heights),
  })
  const offsetOf = (line: number): number => offsetOfLine(arranged, line, heights)
  const offsetsOfLine = (line: number): DrawnLine => {
    const found = lineAt(arranged, line)
    const last = found.kind === 'group' ? lineOfPosition(arranged, found.group.end - 1) : line
    return { line, start: offsetOf(line), end: offsetOf(last + 1) }
  }
  const { first } = inWindow
  const last = Math.min(count - 1, inWindow.last + LINES_AFTER)
  const lines = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  if (focusedLine !== null && focusedLine > last && focusedLine < count) lines.push(focusedLine)
  const above = [groupOfLine(arranged, first)?.heading ?? null, focusedLine]
    .filter((line) => line !== null)
    .filter((line) => line < first)
  const drawn = isOnPaper
    ? Array.from({ length: Math.min(count, MAX_PRINTED_LINES) }, (_, line) => line)
    : [...above.toSorted((a, b) => a - b), ...lines]
  const scrollToLine = (line: number): void => {
    scrollIntoWindow({
      start: inWindow.top + offsetOf(line),
      end: inWindow.top + offsetOf(line + 1),
      coveredTop: coveredTop + heights.heading,
      coveredBottom: heights.row,
    })
  }
  return {
    drawn,
    offsetsOfLine,
    total: offsetOf(count),
    scrollToLine,
    rowHeight: heights.row,
    isOnPaper,
  }
}
