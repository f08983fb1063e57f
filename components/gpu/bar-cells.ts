import { CELL_KINDS, type CellKind } from '@/lib/domain/pgpu/types'
import { formatNoun } from '@/lib/util/format'

/** Numbers of a pGPU as the fleet's list carries them; null is unknown. */
export type BarNumbers = {
  capacity: number | null
  used: number | null
  spare: number | null
  orphan: number | null
  creatable: number | null
}

/** How many cells of each kind a bar has. */
export type CellCounts = Record<CellKind, number>

/**
 * The cells that the numbers alone allow to draw, by the rule of `pgpuCells` in lib/domain: one per vGPU of the capacity,
 * more when more vGPUs exist than fit. Null: the capacity is unknown, so there is no bar.
 */
export const cellCounts = ({ capacity, used, spare, orphan, creatable }: BarNumbers): CellCounts | null => {
  if (capacity === null) return null
  const made = (used ?? 0) + (spare ?? 0) + (orphan ?? 0)
  const open = Math.max(0, capacity - made)
  const free = Math.min(creatable ?? 0, open)
  const isKnown = used !== null && spare !== null && orphan !== null && creatable !== null
  return {
    used: used ?? 0,
    spare: spare ?? 0,
    orphan: orphan ?? 0,
    unknown: isKnown ? 0 : open - free,
    free,
    locked: isKnown ? open - free : 0,
  }
}

/** Kind of the cell at a place of the bar, counted from the left. */
export const cellKindAt = (counts: CellCounts, index: number): CellKind | null => {
  let end = 0
  for (const kind of CELL_KINDS) {
    end += counts[kind]
    if (index < end) return kind
  }
  return null
}

export const cellTotal = (counts: CellCounts): number =>
  CELL_KINDS.reduce((sum, kind) => sum + counts[kind], 0)

/** The word for each kind after a count: "2 spare". */
const CELL_LABELS: Record<CellKind, string> = {
  used: 'used',
  spare: 'spare',
  orphan: 'orphan',
  unknown: 'unknown',
  free: 'free',
  locked: 'blocked',
}

/** The bar as text: "2 of 4 vGPUs used, 1 spare, 1 free"; of a card in passthrough "0 of 1 whole card used". */
export const barLabel = (numbers: BarNumbers, isWhole = false): string => {
  const counts = cellCounts(numbers)
  const [one, many] = isWhole ? ['whole card', 'whole cards'] : ['vGPU', 'vGPUs']
  if (counts === null) return `number of ${many} unknown`
  const used =
    numbers.used === null
      ? 'use unknown'
      : `${counts.used} of ${formatNoun(numbers.capacity ?? 0, one, many)} used`
  const rest = CELL_KINDS.filter((kind) => kind !== 'used' && counts[kind] > 0).map(
    (kind) => `${counts[kind]} ${CELL_LABELS[kind]}`,
  )
  return [used, ...rest].join(', ')
}

/** Without a type yet: what the supported types allow, "1 to 16 vGPUs, no type yet". */
export const rangeLabel = ([min, max]: readonly [number, number]): string =>
  min === max ? `${formatNoun(max, 'vGPU')}, no type yet` : `${min} to ${max} vGPUs, no type yet`
