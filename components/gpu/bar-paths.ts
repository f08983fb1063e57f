import { CELL_KINDS, type CellKind } from '@/lib/domain/pgpu/types'
import type { CellCounts } from './bar-cells'

export const BAR_WIDTH = 196
export const BAR_HEIGHT = 18

/** Gap between cells: narrower where many cells share the width. */
const gapOf = (cells: number): number => (cells <= 20 ? 2 : cells <= 40 ? 1.5 : 0.75)

/** Distance from the left edge of a cell to that of the next, in the bar's own units. */
const pitchOf = (cells: number): number => (BAR_WIDTH + gapOf(cells)) / cells

/** Place of the cell under a horizontal position, 0 to 1 of the bar's width. */
export const indexAt = ({ share, cells }: { share: number; cells: number }): number =>
  Math.max(0, Math.min(cells - 1, Math.floor((share * BAR_WIDTH) / pitchOf(cells))))

/** Left edge and width of a cell as shares of the bar's width. */
export const cellSpan = ({
  index,
  cells,
}: {
  index: number
  cells: number
}): { left: number; width: number } => ({
  left: (index * pitchOf(cells)) / BAR_WIDTH,
  width: (pitchOf(cells) - gapOf(cells)) / BAR_WIDTH,
})

const rounded = (value: number): number => Math.round(value * 100) / 100

/** A rounded box whose half-pixel outline lies inside the cell. */
const cellPath = (left: number, width: number): string => {
  const radius = Math.min(2.5, (width - 1) / 2)
  const across = rounded(width - 1 - 2 * radius)
  const down = rounded(BAR_HEIGHT - 1 - 2 * radius)
  const corner = (x: number, y: number) => `a${radius} ${radius} 0 0 1 ${x} ${y}`
  return [
    `M${rounded(left + 0.5 + radius)} .5h${across}`,
    corner(radius, radius),
    `v${down}`,
    corner(-radius, radius),
    `h${-across}`,
    corner(-radius, -radius),
    `v${-down}`,
    corner(radius, -radius),
    'z',
  ].join('')
}

export type BarPath = { kind: CellKind; path: string }

/** Many cards of a fleet look alike, so their outlines are made once. */
const known = new Map<string, BarPath[]>()
const MAX_KNOWN = 2000

/** One outline per kind of cell that the bar has: few elements however many cells there are. */
export const barPaths = (counts: CellCounts): BarPath[] => {
  const key = CELL_KINDS.map((kind) => counts[kind]).join()
  const before = known.get(key)
  if (before !== undefined) return before
  const cells = CELL_KINDS.reduce((sum, kind) => sum + counts[kind], 0)
  const pitch = cells === 0 ? 0 : pitchOf(cells)
  const width = rounded(pitch - gapOf(cells))
  let index = 0
  const paths = CELL_KINDS.filter((kind) => counts[kind] > 0).map((kind) => {
    const outlines = Array.from({ length: counts[kind] }, () => cellPath(index++ * pitch, width))
    return { kind, path: outlines.join('') }
  })
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, paths)
  return paths
}
