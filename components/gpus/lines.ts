import type { Arranged, GpuGroup } from './arrange-gpus'

/** A line of the list: the heading of a group, or a row at a place of the arranged rows. */
export type Line = { kind: 'group'; group: GpuGroup } | { kind: 'row'; place: number; row: number }

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

export const isHeading = ({ groups }: Arranged, line: number): boolean => {
  const at = lastGroup(groups, line, (one) => headingLine(groups, one))
  return at >= 0 && headingLine(groups, at) === line
}

export const lineAt = ({ rows, groups }: Arranged, line: number): Line => {
  const at = lastGroup(groups, line, (one) => headingLine(groups, one))
  const group = groups[at]
  if (group !== undefined && headingLine(groups, at) === line) return { kind: 'group', group }
  const place = line - at - 1
  return { kind: 'row', place, row: rows[place] ?? -1 }
}

/** Line of the row at a place. */
export const lineOfPlace = ({ groups }: Arranged, place: number): number =>
  place + 1 + lastGroup(groups, place, (one) => groups[one]?.start ?? 0)
