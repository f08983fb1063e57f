import { type GpuStore, UNKNOWN } from './gpu-store'
import { sortByRank } from './sort-by-rank'

export const GROUPINGS = ['model', 'host', 'type', 'aggregate', 'none'] as const
export type Grouping = (typeof GROUPINGS)[number]

export const SORT_COLUMNS = [
  'host',
  'address',
  'type',
  'framework',
  'used',
  'advertised',
  'stranded',
  'finding',
] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]
export type GpuSort = { column: SortColumn; isDescending: boolean }

/** `start` and `end` are places in `rows`. `entry` is the dictionary's index; null is the group without one. */
export type GpuGroup = { entry: number | null; start: number; end: number }
export type Arranged = { rows: Int32Array; groups: GpuGroup[] }

/** Rank for each row: what is unknown comes last, whichever way is sorted. */
type Rank = { of: (row: number) => number; most: number }

const byEntry = (ranks: Int32Array, column: Int32Array): Rank => ({
  of: (row) => ranks[column[row] ?? UNKNOWN] ?? -1,
  most: ranks.length,
})

const SHARE_STEPS = 10_000

/** Share of the capacity in use, so that a full card of 2 stands with a full card of 16. */
const byUse = ({ columns: { used, capacity } }: GpuStore): Rank => ({
  of: (row) => {
    const [part = UNKNOWN, whole = UNKNOWN] = [used[row], capacity[row]]
    if (part === UNKNOWN || whole === UNKNOWN || whole === 0) return -1
    return Math.min(SHARE_STEPS, Math.round((part / whole) * SHARE_STEPS))
  },
  most: SHARE_STEPS + 1,
})

/** By the numbers that occur, so that a total of two billion costs one rank. */
const byNumber = (column: Int32Array): Rank => {
  const distinct = Int32Array.from(new Set(column))
    .filter((value) => value !== UNKNOWN)
    .sort()
  const ranks = new Map(Array.from(distinct, (value, rank) => [value, rank]))
  return { of: (row) => ranks.get(column[row] ?? UNKNOWN) ?? -1, most: distinct.length }
}

const rankOf = (store: GpuStore, column: SortColumn): Rank | null => {
  const { columns, ranks } = store
  if (column === 'address') return byEntry(ranks.address, columns.addressIndex)
  if (column === 'type') return byEntry(ranks.type, columns.typeIndex)
  if (column === 'framework') return byEntry(ranks.framework, columns.frameworkIndex)
  if (column === 'finding') return byEntry(ranks.finding, columns.findingIndex)
  if (column === 'used') return byUse(store)
  if (column === 'advertised' || column === 'stranded') return byNumber(columns[column])
  return null
}

const orderedRank =
  ({ of, most }: Rank, isDescending: boolean) =>
  (row: number): number => {
    const own = of(row)
    return own === -1 ? most : isDescending ? most - 1 - own : own
  }

const groupColumn = ({ columns, ranks }: GpuStore, grouping: Exclude<Grouping, 'none'>) =>
  ({
    model: { column: columns.modelIndex, ranks: ranks.model },
    host: { column: columns.hostIndex, ranks: ranks.host },
    type: { column: columns.typeIndex, ranks: ranks.type },
    aggregate: { column: columns.aggregateSetIndex, ranks: ranks.aggregateSet },
  })[grouping]

const groupsOf = (rows: Int32Array, column: Int32Array): GpuGroup[] => {
  const groups: GpuGroup[] = []
  let start = 0
  for (let place = 1; place <= rows.length; place++) {
    const entry = column[rows[start] ?? 0]
    if (place < rows.length && column[rows[place] ?? 0] === entry) continue
    groups.push({ entry: entry === undefined || entry === UNKNOWN ? null : entry, start, end: place })
    start = place
  }
  return groups
}

/** Sorts the rows within their groups; equal rows stay by host and address. `rows` come in that order from `filterGpus`. */
export const arrangeGpus = (
  store: GpuStore,
  rows: Int32Array,
  { grouping, sort }: { grouping: Grouping; sort: GpuSort },
): Arranged => {
  const { isDescending } = sort
  const rank = rankOf(store, sort.column)
  const sorted =
    rank === null
      ? sort.column === 'host' && isDescending
        ? rows.slice().reverse()
        : rows
      : sortByRank(rows, { rankOf: orderedRank(rank, isDescending), ranks: rank.most + 1 })
  if (grouping === 'none') return { rows: sorted, groups: [] }
  const { column, ranks } = groupColumn(store, grouping)
  const grouped = sortByRank(sorted, {
    rankOf: (row) => ranks[column[row] ?? UNKNOWN] ?? ranks.length,
    ranks: ranks.length + 1,
  })
  return { rows: grouped, groups: groupsOf(grouped, column) }
}
