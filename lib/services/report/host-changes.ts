import type { Cell } from '@/lib/server/database/pg-array'
import type { HostDecision } from './decide-group'
import type { HostRows, Row, Rows, StoredRows, TypeBook } from './host-rows'
import type { HistoryWrite } from './write-history'

/** Rows to insert or to update, and those to delete as they are stored. */
export type TableChanges = { written: Rows; deleted: Rows }

/** What the reports of one host write. */
export type HostPlan = {
  decision: HostDecision
  pgpus: TableChanges
  guests: TableChanges
  holdings: TableChanges
  history: HistoryWrite[]
  /** Null: all pGPUs have types that are stored. */
  types: TypeBook | null
}

/** Cells of a point that make it another one. */
const POINT_CELLS = 9
/** Cells of a row of holdings that name the guest; what it holds follows. */
const HOLDER_CELLS = 5

/** Stored cells are texts, lists as JSON. */
const textOf = (cell: Cell | undefined): string | null => {
  if (cell === null || cell === undefined || typeof cell === 'string') return cell ?? null
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

const isSameCell = (a: Cell | undefined, b: Cell | undefined): boolean => a === b || textOf(a) === textOf(b)

const areSameCells = (a: Row, b: Row, cells: number): boolean => {
  for (let index = 0; index < cells; index += 1) if (!isSameCell(a[index], b[index])) return false
  return true
}

/** `cells`: how many of each row count. */
const compareRows = (before: Rows, after: Rows, cells = Number.POSITIVE_INFINITY): TableChanges => {
  const stored = new Map(before.map((row) => [row[0], row]))
  const written: Row[] = []
  for (const row of after) {
    const last = stored.get(row[0])
    stored.delete(row[0])
    if (last === undefined || !areSameCells(last, row, Math.min(cells, row.length))) written.push(row)
  }
  return { written, deleted: [...stored.values()] }
}

/** What guests are known to hold after a report: of what it could not read the last that was known. */
const holdingsAfter = (
  before: Rows,
  { holdings, unknownHolders, hasAllGuests }: Pick<HostRows, 'holdings' | 'unknownHolders' | 'hasAllGuests'>,
): Rows => {
  if (hasAllGuests && unknownHolders.size === 0) return holdings
  const reported = new Set(holdings.map(([uuid]) => uuid))
  const isRetained = ([uuid]: Row): boolean =>
    !reported.has(uuid) && (!hasAllGuests || unknownHolders.has(String(uuid)))
  return [...before.filter(isRetained), ...holdings]
}

/**
 * What one report adds to the history. Points: of each pGPU whose type, framework or numbers changed, and the address alone of a
 * pGPU that is gone. Holdings: of each guest that holds something else, without addresses when it holds nothing any more.
 */
export const compareHistory = (
  before: Pick<StoredRows, 'points' | 'holdings'>,
  after: Pick<StoredRows, 'points' | 'holdings'>,
): { points: Row[]; holdings: Row[] } => {
  const points = compareRows(before.points, after.points, POINT_CELLS)
  const holdings = compareRows(before.holdings, after.holdings)
  return {
    points: [...points.written, ...points.deleted.map((point) => point.slice(0, 1))],
    holdings: [
      ...holdings.written,
      ...holdings.deleted.map((row) => [...row.slice(0, HOLDER_CELLS), [], []]),
    ],
  }
}

/** Cells of a pGPU that hold the digests of its type and of its set of types. */
const TYPE_CELLS = [5, 6] as const

const hasNewTypes = (pgpus: TableChanges, stored: StoredRows): boolean => {
  if (pgpus.written.length === 0) return false
  const known = new Set(stored.pgpus.flatMap((row) => TYPE_CELLS.map((cell) => row[cell] ?? null)))
  return pgpus.written.some((row) => TYPE_CELLS.some((cell) => row[cell] != null && !known.has(row[cell])))
}

/** What the reports of one host change: one after the other in the history, all at once in the current state. */
export const planHost = (decision: HostDecision, stored: StoredRows): HostPlan => {
  const { host, applied, moments } = decision
  const history: HistoryWrite[] = []
  let current: StoredRows = stored
  for (const [index, { position, at, rows }] of applied.entries()) {
    const next = { ...rows, holdings: holdingsAfter(current.holdings, rows) }
    history.push({ host, position, at: moments[index] ?? at, ...compareHistory(current, next) })
    current = next
  }
  const pgpus = compareRows(stored.pgpus, current.pgpus)
  return {
    decision,
    pgpus,
    guests: compareRows(stored.guests, current.guests),
    holdings: compareRows(stored.holdings, current.holdings),
    history,
    types: hasNewTypes(pgpus, stored) ? (applied.at(-1)?.rows.types ?? null) : null,
  }
}
