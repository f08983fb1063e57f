import type { HistoryPoint, Rows, StoredRows } from './host-rows'
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

const compareRows = (before: Rows, after: Rows): TableChanges => {
  const changes: TableChanges = { inserted: [], updated: [], deleted: [] }
  if (before === after) return changes
  let kept = 0
  for (const [key, row] of after) {
    const stored = before.get(key)
    if (stored === undefined) changes.inserted.push(row)
    else {
      kept += 1
      if (!isSameRow(stored, row)) changes.updated.push(row)
    }
  }
  if (kept < before.size) for (const key of before.keys()) if (!after.has(key)) changes.deleted.push(key)
  return changes
}

const isEmpty = ({ inserted, updated, deleted }: TableChanges): boolean =>
  inserted.length === 0 && updated.length === 0 && deleted.length === 0

const areSameRows = (a: readonly (readonly Cell[])[], b: readonly (readonly Cell[])[]): boolean =>
  a.length === b.length && a.every((row, place) => isSameRow(row, b[place] ?? []))

/** What of a report differs from what is stored. */
export const compareHost = (before: StoredRows, after: StoredRows): HostChanges => {
  const facts = isSameRow(before.facts, after.facts) ? null : after.facts
  const problems = areSameRows(before.problems, after.problems) ? null : after.problems
  const pgpus = compareRows(before.pgpus, after.pgpus)
  const virtualFunctions = compareRows(before.virtualFunctions, after.virtualFunctions)
  const mdevs = compareRows(before.mdevs, after.mdevs)
  const guests = compareRows(before.guests, after.guests)
  const isChange =
    facts !== null || problems !== null || ![pgpus, virtualFunctions, mdevs, guests].every(isEmpty)
  return { facts, pgpus, virtualFunctions, mdevs, guests, problems, isChange }
}

/** The points that a report adds to the history: of each pGPU whose type, framework or numbers changed, came or went. */
export const compareHistory = (before: StoredRows, after: StoredRows): HistoryChange[] => {
  const changes: HistoryChange[] = []
  for (const [address, point] of after.history) {
    const stored = before.history.get(address)
    if (stored === undefined || !isSameRow(stored, point)) changes.push({ address, point })
  }
  for (const address of before.history.keys())
    if (!after.history.has(address)) changes.push({ address, point: null })
  return changes
}
