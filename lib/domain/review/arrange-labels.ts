/** A mark of a chart: where its line is, and how wide its label would be; both in units of the chart. */
export type LabelledMark = { x: number; width: number }

export type PlacedLabel = { mark: number; row: number; left: number }
/** The number of marks without space for a separate label. */
export type FoldedLabel = { count: number; row: number; left: number }

type Terms = {
  /** Between which the labels lie. */
  left: number
  right: number
  rows: number
  /** Between two labels, and between a line and its label. */
  gap: number
  /** The width of the label of this many combined marks. */
  foldedWidth: (count: number) => number
}

/**
 * Labels in rows without overlaps: each to the right of its line, moved left only at the edge, in the first row where it
 * fits. Marks whose label fits in no row are combined in a last row, with one label for those that are close together.
 * Marks in any order; every one is in exactly one label.
 */
export const arrangeLabels = (
  marks: readonly LabelledMark[],
  { left, right, rows, gap, foldedWidth }: Terms,
): { placed: PlacedLabel[]; folded: FoldedLabel[] } => {
  const placed: PlacedLabel[] = []
  const folded: FoldedLabel[] = []
  const widest = foldedWidth(marks.length)
  const ends = new Array<number>(rows).fill(Number.NEGATIVE_INFINITY)
  const beginOf = (x: number, width: number): number => Math.max(left, Math.min(x + gap, right - width))
  const inOrder = [...marks.entries()].sort(([, a], [, b]) => beginOf(a.x, a.width) - beginOf(b.x, b.width))
  for (const [mark, { x, width }] of inOrder) {
    const begin = beginOf(x, width)
    const row = ends.findIndex((end) => begin >= end + gap)
    if (row >= 0) {
      ends[row] = begin + width
      placed.push({ mark, row, left: begin })
      continue
    }
    const last = folded.at(-1)
    const foldedBegin = beginOf(x, widest)
    if (last === undefined || foldedBegin >= last.left + widest + gap)
      folded.push({ count: 1, row: rows, left: foldedBegin })
    else last.count += 1
  }
  return { placed, folded }
}
