import { changedStretch, type Stretch } from '@/lib/util/changed-stretch'
import type { HostRows, Row, Rows, StoredRows } from './host-rows'
import type { Cell } from './pg-array'
import { areSameCells, areSameRows, isSameRow } from './same-cells'

/** Rows to insert and to update, and those to delete as they are stored. */
export type TableChanges = { inserted: Rows; updated: Rows; deleted: Rows }

/** A point of a pGPU's history; when the pGPU went away its address alone. */
export type HistoryChange = Row

/** What a guest holds from then on, as a row of its holdings; without addresses when it holds nothing any more. */
export type HoldingChange = Row

export type HostChanges = {
  /** Null: as they are stored. */
  facts: Row | null
  pgpus: TableChanges
  virtualFunctions: TableChanges
  mdevs: TableChanges
  guests: TableChanges
  holdings: TableChanges
  /** Null: as they are stored; else they replace all. */
  problems: readonly Row[] | null
  /** Whether anything above but the holdings differs from what is stored. */
  isChange: boolean
}

/** Cells of a point that make it another one. */
const POINT_CELLS = 9
/** Cells of a row of holdings that name the guest; what it holds follows. */
const HOLDER_CELLS = 5

type Comparison = { keyOf: (row: Row) => Cell | undefined; isSame: (a: Row, b: Row) => boolean }

const firstCell = (row: Row): Cell | undefined => row[0]

const ROWS: Comparison = { keyOf: firstCell, isSame: isSameRow }
const FUNCTIONS: Comparison = { keyOf: (row) => `${row[0]} ${row[1]}`, isSame: isSameRow }
const POINTS: Comparison = {
  keyOf: firstCell,
  isSame: (a, b) => a === b || areSameCells(a, b, POINT_CELLS),
}

const NONE: Rows = []
const UNCHANGED: TableChanges = { inserted: NONE, updated: NONE, deleted: NONE }

/** The rows that differ where each one stands in the place of that with its key; null: not all do. */
const updatedInPlace = (
  before: Rows,
  after: Rows,
  { stretch: { start, afterEnd }, by: { keyOf, isSame } }: { stretch: Stretch; by: Comparison },
): Rows | null => {
  const updated: Row[] = []
  for (let place = start; place < afterEnd; place += 1) {
    const stored = before[place]
    const row = after[place]
    if (stored === row || stored === undefined || row === undefined) continue
    if (keyOf(stored) !== keyOf(row)) return null
    if (!isSame(stored, row)) updated.push(row)
  }
  return updated
}

const compareByKeys = (before: Rows, after: Rows, { keyOf, isSame }: Comparison): TableChanges => {
  const inserted: Row[] = []
  const updated: Row[] = []
  const stored = new Map(before.map((row) => [keyOf(row), row]))
  for (const row of after) {
    const key = keyOf(row)
    const last = stored.get(key)
    if (last === undefined) inserted.push(row)
    else {
      stored.delete(key)
      if (!isSame(last, row)) updated.push(row)
    }
  }
  return { inserted, updated, deleted: [...stored.values()] }
}

/** Nearly all rows of most reports are the stored ones themselves, so what is the same object at both ends is not looked at. */
const compareRows = (before: Rows, after: Rows, by: Comparison): TableChanges => {
  const stretch = changedStretch(before, after)
  if (stretch === null) return UNCHANGED
  const { start, beforeEnd, afterEnd } = stretch
  const updated = beforeEnd === afterEnd ? updatedInPlace(before, after, { stretch, by }) : null
  if (updated !== null) return updated.length === 0 ? UNCHANGED : { inserted: NONE, updated, deleted: NONE }
  const gone = before.slice(start, beforeEnd)
  const come = after.slice(start, afterEnd)
  if (gone.length === 0 || come.length === 0) return { inserted: come, updated: NONE, deleted: gone }
  return compareByKeys(gone, come, by)
}

const isEmpty = ({ inserted, updated, deleted }: TableChanges): boolean =>
  inserted.length === 0 && updated.length === 0 && deleted.length === 0

/** What of a report differs from what is stored. */
export const compareHost = (before: StoredRows, after: StoredRows): HostChanges => {
  const facts = isSameRow(before.facts, after.facts) ? null : after.facts
  const problems = areSameRows(before.problems, after.problems) ? null : after.problems
  const pgpus = compareRows(before.pgpus, after.pgpus, ROWS)
  const virtualFunctions = compareRows(before.virtualFunctions, after.virtualFunctions, FUNCTIONS)
  const mdevs = compareRows(before.mdevs, after.mdevs, ROWS)
  const guests = compareRows(before.guests, after.guests, ROWS)
  const holdings = compareRows(before.holdings, after.holdings, ROWS)
  const isSame =
    facts === null &&
    problems === null &&
    isEmpty(pgpus) &&
    isEmpty(virtualFunctions) &&
    isEmpty(mdevs) &&
    isEmpty(guests)
  return { facts, pgpus, virtualFunctions, mdevs, guests, holdings, problems, isChange: !isSame }
}

/** The points that a report adds to the history: of each pGPU whose type, framework or numbers changed, came or went. */
export const compareHistory = (
  before: Pick<StoredRows, 'history'>,
  after: Pick<StoredRows, 'history'>,
): readonly HistoryChange[] => {
  const changes = compareRows(before.history, after.history, POINTS)
  if (changes === UNCHANGED) return NONE
  const { inserted, updated, deleted } = changes
  return [...inserted, ...updated, ...deleted.map((point) => point.slice(0, 1))]
}

const keysOf = (rows: Rows): ReadonlySet<Cell | undefined> => new Set(rows.map(firstCell))

/** What guests are known to hold after a report: of what it could not read the last that was known. */
const holdingsAfter = (before: Rows, { holdings, unknownHolders, hasAllGuests }: HostRows): Rows => {
  const told = keysOf(holdings)
  const isKept = (uuid: string): boolean => !told.has(uuid) && (!hasAllGuests || unknownHolders.has(uuid))
  return [...before.filter(([uuid]) => isKept(String(uuid))), ...holdings]
}

/** What is stored after a report. */
export const rowsAfter = (before: Pick<StoredRows, 'holdings'>, told: HostRows): StoredRows =>
  told.hasAllGuests && told.unknownHolders.size === 0
    ? told
    : { ...told, holdings: holdingsAfter(before.holdings, told) }

/** The rows that a report adds to the history of guests. */
export const compareHoldings = (
  before: Pick<StoredRows, 'holdings'>,
  after: Pick<StoredRows, 'holdings'>,
): readonly HoldingChange[] => {
  const changes = compareRows(before.holdings, after.holdings, ROWS)
  if (changes === UNCHANGED) return NONE
  const { inserted, updated, deleted } = changes
  const gone = deleted.map((row) => [...row.slice(0, HOLDER_CELLS), [], []])
  return [...inserted, ...updated, ...gone]
}
