import { type GpuStore, UNKNOWN } from './gpu-store'
import { ranksOfRows, sortByRank } from './sort-by-rank'

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

/** `start` and `end` are positions in `rows`. `entry` is the dictionary's index; null is the group without one. */
export type GpuGroup = { entry: number | null; start: number; end: number }
export type Arranged = { rows: Int32Array; groups: GpuGroup[] }

/** Rank of each row, -1 where it is unknown. */
type Rank = { of: Int32Array; max: number }

const byEntry = (ranks: Int32Array, column: Int32Array): Rank => ({
  of: ranksOfRows(ranks, column, -1),
  max: ranks.length,
})

const SHARE_STEPS = 10_000

/** Share of the capacity in use, so that a full card of 2 sorts next to a full card of 16. */
const byUse = ({ count, columns: { used, capacity } }: GpuStore): Rank => {
  const of = new Int32Array(count)
  for (let row = 0; row < count; row++) {
    const part = used[row] ?? UNKNOWN
    const whole = capacity[row] ?? UNKNOWN
    const isKnown = part !== UNKNOWN && whole !== UNKNOWN && whole !== 0
    of[row] = isKnown ? Math.min(SHARE_STEPS, Math.round((part / whole) * SHARE_STEPS)) : -1
  }
  return { of, max: SHARE_STEPS + 1 }
}

/** By the numbers that occur, so that a total of two billion costs one rank. */
const byNumber = (column: Int32Array): Rank => {
  const distinct = Int32Array.from(new Set(column))
    .filter((value) => value !== UNKNOWN)
    .sort()
  const ranks = new Map(Array.from(distinct, (value, rank) => [value, rank]))
  return { of: column.map((value) => ranks.get(value) ?? -1), max: distinct.length }
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

/** Unknown values come last in both directions. */
const ordered = ({ of, max }: Rank, isDescending: boolean): Int32Array => {
  const turned = new Int32Array(of.length)
  for (let row = 0; row < of.length; row++) {
    const own = of[row] ?? -1
    turned[row] = own === -1 ? max : isDescending ? max - 1 - own : own
  }
  return turned
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
  for (let position = 1; position <= rows.length; position++) {
    const entry = column[rows[start] ?? 0]
    if (position < rows.length && column[rows[position] ?? 0] === entry) continue
    groups.push({ entry: entry === undefined || entry === UNKNOWN ? null : entry, start, end: position })
    start = position
  }
  return groups
}

type Arrangement = { grouping: Grouping; sort: GpuSort }

const arrangeAll = (store: GpuStore, { grouping, sort }: Arrangement): Arranged => {
  const { baseOrder } = store
  const { isDescending } = sort
  const rank = rankOf(store, sort.column)
  const sorted =
    rank === null
      ? isDescending
        ? baseOrder.slice().reverse()
        : baseOrder
      : sortByRank(baseOrder, { rankOf: ordered(rank, isDescending), ranks: rank.max + 1 })
  if (grouping === 'none') return { rows: sorted, groups: [] }
  const { column, ranks } = groupColumn(store, grouping)
  const grouped = sortByRank(sorted, {
    rankOf: ranksOfRows(ranks, column, ranks.length),
    ranks: ranks.length + 1,
  })
  return { rows: grouped, groups: groupsOf(grouped, column) }
}

/** Of each store the last few ways in which all of its rows were arranged: a filter only leaves rows out. */
const known = new WeakMap<GpuStore, Map<string, Arranged>>()
const MAX_KNOWN = 3

const allArranged = (store: GpuStore, arrangement: Arrangement): Arranged => {
  const { grouping, sort } = arrangement
  const key = `${grouping} ${sort.column} ${sort.isDescending}`
  const ways = known.get(store) ?? new Map<string, Arranged>()
  const found = ways.get(key) ?? arrangeAll(store, arrangement)
  ways.delete(key)
  ways.set(key, found)
  const [oldest] = ways.keys()
  if (ways.size > MAX_KNOWN && oldest !== undefined) ways.delete(oldest)
  known.set(store, ways)
  return found
}

/** The same order with only these rows in it. */
const keepRows = (all: Arranged, rows: Int32Array): Arranged => {
  const isListed = new Uint8Array(all.rows.length)
  for (let at = 0; at < rows.length; at++) isListed[rows[at] ?? 0] = 1
  const matches = new Int32Array(rows.length)
  let positions = 0
  const take = (start: number, end: number): void => {
    for (let position = start; position < end; position++) {
      const row = all.rows[position] ?? 0
      if (isListed[row] === 1) matches[positions++] = row
    }
  }
  if (all.groups.length === 0) take(0, all.rows.length)
  const groups: GpuGroup[] = []
  for (const { entry, start, end } of all.groups) {
    const from = positions
    take(start, end)
    if (positions > from) groups.push({ entry, start: from, end: positions })
  }
  return { rows: matches, groups }
}

/** Sorts the rows within their groups; equal rows stay by host and address. */
export const arrangeGpus = (store: GpuStore, rows: Int32Array, arrangement: Arrangement): Arranged => {
  const all = allArranged(store, arrangement)
  return rows === store.baseOrder ? all : keepRows(all, rows)
}
