import type { HistoryPoint, HostRows, Rows } from './host-rows'
import type { HostState } from './host-state'
import type { Cell } from './pg-array'

/** Rows to insert and to update, keys to delete. */
export type TableChanges = {
  inserted: (readonly Cell[])[]
  updated: (readonly Cell[])[]
  /** Keys, as the cells that make them. */
  deleted: string[]
}

/** A point of a pGPU's history; null when the pGPU went away. */
export type HistoryChange = { address: string; point: HistoryPoint | null }

export type HostChanges = {
  /** Null: as they are stored. */
  facts: readonly Cell[] | null
  pgpus: TableChanges
  virtualFunctions: TableChanges
  mdevs: TableChanges
  guests: TableChanges
  /** Null: as they are stored; else they replace all. */
  problems: readonly (readonly Cell[])[] | null
  /** Whether anything above differs from what is stored. */
  isChange: boolean
}

const compareRows = (
  before: ReadonlyMap<string, string>,
  rows: Rows,
  after: ReadonlyMap<string, string>,
): TableChanges => {
  const changes: TableChanges = { inserted: [], updated: [], deleted: [] }
  for (const [key, row] of rows) {
    const mark = before.get(key)
    if (mark === undefined) changes.inserted.push(row)
    else if (mark !== after.get(key)) changes.updated.push(row)
  }
  for (const key of before.keys()) if (!rows.has(key)) changes.deleted.push(key)
  return changes
}

const isEmpty = ({ inserted, updated, deleted }: TableChanges): boolean =>
  inserted.length === 0 && updated.length === 0 && deleted.length === 0

/** What of a report differs from what is stored. `after` is the state of `rows`. */
export const compareHost = (before: HostState, rows: HostRows, after: HostState): HostChanges => {
  const facts = before.facts === after.facts ? null : rows.facts
  const problems = before.problems === after.problems ? null : rows.problems
  const pgpus = compareRows(before.pgpus, rows.pgpus, after.pgpus)
  const virtualFunctions = compareRows(before.virtualFunctions, rows.virtualFunctions, after.virtualFunctions)
  const mdevs = compareRows(before.mdevs, rows.mdevs, after.mdevs)
  const guests = compareRows(before.guests, rows.guests, after.guests)
  const isChange =
    facts !== null || problems !== null || ![pgpus, virtualFunctions, mdevs, guests].every(isEmpty)
  return { facts, pgpus, virtualFunctions, mdevs, guests, problems, isChange }
}

/** The points that a report adds to the history: of each pGPU whose type, framework or numbers changed, came or went. */
export const compareHistory = (before: HostState, rows: HostRows, after: HostState): HistoryChange[] => [
  ...[...rows.history]
    .filter(([address]) => before.history.get(address) !== after.history.get(address))
    .map(([address, point]) => ({ address, point })),
  ...[...before.history.keys()]
    .filter((address) => !rows.history.has(address))
    .map((address) => ({ address, point: null })),
]
