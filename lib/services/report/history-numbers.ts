import 'server-only'
import type { Query } from '@/lib/server/database/database'
import type { Statement } from '@/lib/server/database/statement'
import type { Row } from './host-rows'
import { ADDRESS, findNumbers, HELD, type NumberedCells, OWNER, POINT } from './numbered-cells'
import { pgRowColumns } from './pg-array'
import { type HistoryWrite, placeOf } from './write-history'

/** Rows of the history with numbers in place of the cells that they stand for. */
export type NumberedRows = {
  /** A report's place, [address, point]. */
  points: Row[]
  /** A report's place, [uuid, name, owner, held]. */
  holdings: Row[]
}

/** The numbers of the history as this console read them last. A number may go, so the transaction that writes one proves it. */
export type HistoryNumbers = {
  /**
   * Asks for the numbers that are not known, and makes those of what is new; at once where all are known. Null: they were
   * forgotten meanwhile.
   */
  numberRows: (
    query: Query,
    writes: readonly HistoryWrite[],
  ) => NumberedRows | null | Promise<NumberedRows | null>
  /** Asks for everything anew: a number was gone, or the database may be another one. */
  forget: () => void
}

/** A fleet has some thousands of each; beyond this they are asked for again. */
const MOST_KNOWN = 50_000

/** The numbers of one kind of cells, by the cells as JSON, and the cells whose numbers were wanted and not known. */
type Numbers = { sql: Statement; width: number; known: Map<string, number>; wanted: Map<string, Row> }

const createNumbers = (cells: NumberedCells): Numbers => ({
  sql: findNumbers(cells),
  width: cells.columns.length,
  known: new Map(),
  wanted: new Map(),
})

const numberOf = ({ known, wanted }: Numbers, cells: Row): number | null => {
  const key = JSON.stringify(cells)
  const number = known.get(key)
  if (number !== undefined) return number
  wanted.set(key, cells)
  return null
}

const learn = async (
  query: Query,
  { sql, width, known, wanted }: Numbers,
  mostKnown: number,
): Promise<void> => {
  if (wanted.size === 0) return
  const asked = [...wanted]
  wanted.clear()
  const cells = asked.map(([, row]) => row)
  const rows = await query<{ id: number }>(sql, pgRowColumns(cells, width))
  if (known.size + rows.length > mostKnown) known.clear()
  for (const [place, [key]] of asked.entries()) {
    const id = rows[place]?.id
    if (id !== undefined) known.set(key, id)
  }
}

export const createHistoryNumbers = (mostKnown = MOST_KNOWN): HistoryNumbers => {
  const address = createNumbers(ADDRESS)
  const point = createNumbers(POINT)
  const owner = createNumbers(OWNER)
  const held = createNumbers(HELD)
  const kinds = [address, point, owner, held]

  const numberKnown = (writes: readonly HistoryWrite[]): NumberedRows => {
    const points: Row[] = []
    const holdings: Row[] = []
    for (const write of writes) {
      const place = placeOf(write)
      for (const change of write.changes)
        points.push([...place, numberOf(address, change.slice(0, 1)), numberOf(point, change.slice(1))])
      for (const change of write.holdings) {
        const [uuid = null, name = null] = change
        const numbers = [numberOf(owner, change.slice(2, 5)), numberOf(held, change.slice(5))]
        holdings.push([...place, uuid, name, ...numbers])
      }
    }
    return { points, holdings }
  }
  const areAllKnown = (): boolean => kinds.every(({ wanted }) => wanted.size === 0)

  const learnRows = async (query: Query, writes: readonly HistoryWrite[]): Promise<NumberedRows | null> => {
    for (const numbers of kinds) await learn(query, numbers, mostKnown)
    const rows = numberKnown(writes)
    const isWhole = areAllKnown()
    for (const { wanted } of kinds) wanted.clear()
    return isWhole ? rows : null
  }
  return {
    numberRows: (query, writes) => {
      const rows = numberKnown(writes)
      return areAllKnown() ? rows : learnRows(query, writes)
    },
    forget: () => {
      for (const { known } of kinds) known.clear()
    },
  }
}
