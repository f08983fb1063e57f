import type { HistoryPoint, HostRows, Rows, StoredRows, ToldHoldings } from './host-rows'
import type { Cell } from './pg-array'
import { isSameRow } from './same-cells'

/** Rows to insert and to update, keys to delete. */
export type TableChanges = {
  inserted: (readonly Cell[])[]
  updated: (readonly Cell[])[]
  deleted: string[]
}

/** A point of a pGPU's history; null when the pGPU went away. */
export type HistoryChange = { address: string; point: HistoryPoint | null }

/** What a guest holds from then on, as a row of its holdings; without addresses when it holds nothing any more. */
export type HoldingChange = readonly Cell[]

export type HostChanges = {
  /** Null: as they are stored. */
  facts: readonly Cell[] | null
  pgpus: TableChanges
  virtualFunctions: TableChanges
  mdevs: TableChanges
  guests: TableChanges
  holdings: TableChanges
  /** Null: as they are stored; else they replace all. */
  problems: readonly (readonly Cell[])[] | null
  /** Whether anything above differs from what is stored. */
  isChange: boolean
}

/** Cells of a point that make it another one. */
const POINT_CELLS = 8
/** Cells of a row of holdings that name the guest; what it holds follows. */
const HOLDER_CELLS = 5

const compareRows = (before: Rows, after: Rows): TableChanges => {
  const changes: TableChanges = { inserted: [], updated: [], deleted: [] }
  if (before === after) return changes
  let kept = 0
  // By forEach: an iterator makes two objects for each row, and most rows of most reports are the stored ones.
  after.forEach((row, key) => {
    const stored = before.get(key)
    if (stored === undefined) changes.inserted.push(row)
    else {
      kept += 1
      if (!isSameRow(stored, row)) changes.updated.push(row)
    }
  })
  if (kept < before.size) for (const key of before.keys()) if (!after.has(key)) changes.deleted.push(key)
  return changes
}

const isEmpty = ({ inserted, updated, deleted }: TableChanges): boolean =>
  inserted.length === 0 && updated.length === 0 && deleted.length === 0

const areSameRows = (a: readonly (readonly Cell[])[], b: readonly (readonly Cell[])[]): boolean =>
  a === b || (a.length === b.length && a.every((row, place) => isSameRow(row, b[place] ?? [])))

/** What of a report differs from what is stored. */
export const compareHost = (before: StoredRows, after: StoredRows): HostChanges => {
  const facts = isSameRow(before.facts, after.facts) ? null : after.facts
  const problems = areSameRows(before.problems, after.problems) ? null : after.problems
  const pgpus = compareRows(before.pgpus, after.pgpus)
  const virtualFunctions = compareRows(before.virtualFunctions, after.virtualFunctions)
  const mdevs = compareRows(before.mdevs, after.mdevs)
  const guests = compareRows(before.guests, after.guests)
  const holdings = compareRows(before.holdings, after.holdings)
  const isChange =
    facts !== null || problems !== null || ![pgpus, virtualFunctions, mdevs, guests].every(isEmpty)
  return { facts, pgpus, virtualFunctions, mdevs, guests, holdings, problems, isChange }
}

const isSamePoint = (stored: HistoryPoint, told: HistoryPoint): boolean =>
  isSameRow(stored.slice(0, POINT_CELLS), told.slice(0, POINT_CELLS))

/** The points that a report adds to the history: of each pGPU whose type, framework or numbers changed, came or went. */
export const compareHistory = (
  before: Pick<StoredRows, 'history'>,
  after: Pick<StoredRows, 'history'>,
): HistoryChange[] => {
  const changes: HistoryChange[] = []
  if (after.history === before.history) return changes
  for (const [address, point] of after.history) {
    const stored = before.history.get(address)
    if (stored === undefined || !(stored === point || isSamePoint(stored, point)))
      changes.push({ address, point })
  }
  for (const address of before.history.keys())
    if (!after.history.has(address)) changes.push({ address, point: null })
  return changes
}

/** What guests are known to hold after a report: of what it could not read the last that was known. */
const holdingsAfter = (before: Rows, { rows, unknown, isWhole }: ToldHoldings): Rows => {
  if (isWhole && unknown.size === 0) return rows
  const kept = [...before].filter(([uuid]) => unknown.has(uuid) || (!isWhole && !rows.has(uuid)))
  return new Map([...kept, ...rows])
}

/** What is stored after a report. */
export const rowsAfter = (before: Pick<StoredRows, 'holdings'>, told: HostRows): StoredRows => ({
  ...told,
  holdings: holdingsAfter(before.holdings, told.holdings),
})

/** The rows that a report adds to the history of guests. */
export const compareHoldings = (
  before: Pick<StoredRows, 'holdings'>,
  after: Pick<StoredRows, 'holdings'>,
): HoldingChange[] => {
  const { inserted, updated, deleted } = compareRows(before.holdings, after.holdings)
  const gone = deleted.map((uuid) => [...(before.holdings.get(uuid) ?? []).slice(0, HOLDER_CELLS), [], []])
  return [...inserted, ...updated, ...gone]
}
