import type { Arranged, GpuGroup } from './arrange-gpus'

/** A line of the list: the heading of a group, or a row at a place of the arranged rows. */
export type Line = { kind: 'group'; group: GpuGroup } | { kind: 'row'; position: number; row: number }

export const lineCount = ({ rows, groups }: Arranged): number => rows.length + groups.length

/** Last group that starts at or before what `startOf` compares with; -1 without one. */
const lastGroup = (groups: readonly GpuGroup[], limit: number, startOf: (at: number) => number): number => {
  let low = 0
  let high = groups.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (startOf(middle) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Each group takes one line more than its rows, before them. */
const headingLine = (groups: readonly GpuGroup[], at: number): number => (groups[at]?.start ?? 0) + at

export const lineAt = ({ rows, groups }: Arranged, line: number): Line => {
  const at = lastGroup(groups, line, (one) => headingLine(groups, one))
  const group = groups[at]
  if (group !== undefined && headingLine(groups, at) === line) return { kind: 'group', group }
  const position = line - at - 1
  return { kind: 'row', position, row: rows[position] ?? -1 }
}

/** The group that a line is of, and the line of its heading; null without groups. */
export const groupOfLine = (
  { groups }: Arranged,
  line: number,
): { group: GpuGroup; heading: number } | null => {
  const at = lastGroup(groups, line, (one) => headingLine(groups, one))
  const group = groups[at]
  return group === undefined ? null : { group, heading: headingLine(groups, at) }
}

/** Line of the row at a place. */
export const lineOfPosition = ({ groups }: Arranged, position: number): number =>
  position + 1 + lastGroup(groups, position, (one) => groups[one]?.start ?? 0)

/** In pixels. */
type LineHeights = { row: number; heading: number }

/** Distance of a line from the list's top; of the line after the last: the height of the list. */
export const offsetOfLine = ({ groups }: Arranged, line: number, { row, heading }: LineHeights): number => {
  const headings = lastGroup(groups, line - 1, (one) => headingLine(groups, one)) + 1
  return (line - headings) * row + headings * heading
}

/** The line at a distance from the list's top; outside of the list the nearest. */
export const lineAtOffset = (arranged: Arranged, offset: number, { row, heading }: LineHeights): number => {
  const { groups } = arranged
  const startOf = (at: number) => (groups[at]?.start ?? 0) * row + at * heading
  const at = lastGroup(groups, offset, startOf)
  const inRows = at < 0 ? offset : offset - startOf(at) - heading
  const firstRow = at < 0 ? 0 : headingLine(groups, at) + 1
  const line = Math.max(firstRow - 1, firstRow + Math.floor(inRows / row))
  return Math.max(0, Math.min(lineCount(arranged) - 1, line))
}
