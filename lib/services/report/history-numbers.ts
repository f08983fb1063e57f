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
   * forgotten meanwhile, or do not all fit.
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

/** The numbers of one kind of cells, by the cells as JSON. */
type Numbers = { sql: Statement; width: number; known: Map<string, number> }

const createNumbers = (cells: NumberedCells): Numbers => ({
  sql: findNumbers(cells),
  width: cells.columns.length,
  known: new Map(),
})

/** Cells whose numbers are not known, by the cells as JSON. */
type Wanted = Map<Numbers, Map<string, Row>>

const numberOf = (numbers: Numbers, cells: Row, wanted: Wanted): number | null => {
  const key = JSON.stringify(cells)
  const number = numbers.known.get(key)
  if (number !== undefined) return number
  const ofKind = wanted.get(numbers) ?? new Map<string, Row>()
  wanted.set(numbers, ofKind.set(key, cells))
  return null
}

const learn = async (query: Query, wanted: Wanted, mostKnown: number): Promise<void> => {
  for (const [{ sql, width, known }, cells] of wanted) {
    const rows = await query<{ id: number }>(sql, pgRowColumns([...cells.values()], width))
    if (known.size + rows.length > mostKnown) known.clear()
    for (const [place, key] of [...cells.keys()].entries()) {
      const id = rows[place]?.id
      if (id !== undefined) known.set(key, id)
    }
  }
}

export const createHistoryNumbers = (mostKnown = MOST_KNOWN): HistoryNumbers => {
  const address = createNumbers(ADDRESS)
  const point = createNumbers(POINT)
  const owner = createNumbers(OWNER)
  const held = createNumbers(HELD)

  const numberKnown = (writes: readonly HistoryWrite[], wanted: Wanted): NumberedRows | null => {
    const points: Row[] = []
    const holdings: Row[] = []
    for (const write of writes) {
      const place = placeOf(write)
      for (const change of write.changes) {
        const numbers = [
          numberOf(address, change.slice(0, 1), wanted),
          numberOf(point, change.slice(1), wanted),
        ]
        points.push([...place, ...numbers])
      }
      for (const change of write.holdings) {
        const [uuid = null, name = null] = change
        const numbers = [numberOf(owner, change.slice(2, 5), wanted), numberOf(held, change.slice(5), wanted)]
        holdings.push([...place, uuid, name, ...numbers])
      }
    }
    return wanted.size === 0 ? { points, holdings } : null
  }

  return {
    numberRows: (query, writes) => {
      // Of this group alone: others are on their way beside it.
      const wanted: Wanted = new Map()
      const rows = numberKnown(writes, wanted)
      return rows ?? learn(query, wanted, mostKnown).then(() => numberKnown(writes, new Map()))
    },
    forget: () => {
      for (const { known } of [address, point, owner, held]) known.clear()
    },
  }
}
