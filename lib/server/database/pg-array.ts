export type Scalar = string | number | bigint | boolean | null
/** One value of a row; a list represents a PostgreSQL array. */
export type Cell = Scalar | readonly Scalar[]

const NEEDS_QUOTES = /^$|[{}",\\\s]|^null$/i

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

const scalarElement = (value: Scalar): string => {
  if (value === null) return 'NULL'
  if (typeof value !== 'string') return String(value)
  return NEEDS_QUOTES.test(value) ? quoted(value) : value
}

const isList = (cell: Cell): cell is readonly Scalar[] => Array.isArray(cell)

/** Lists become texts to be cast back. */
const element = (cell: Cell): string => (isList(cell) ? quoted(pgArray(cell)) : scalarElement(cell))

const itself = <Value>(value: Value): Value => value

/** `cellOf` instead of a list of cells: nothing is made on the way but the text. */
const arrayText = <Item>(items: readonly Item[], cellOf: (item: Item) => Cell): string => {
  let text = ''
  // Most columns hold one value many times in a row, and to find its element costs more than to add it.
  let last: Cell | undefined
  let next = ''
  for (const item of items) {
    const cell = cellOf(item)
    if (cell !== last) {
      last = cell
      next = `,${element(cell)}`
    }
    text += text === '' ? next.slice(1) : next
  }
  return `{${text}}`
}

/**
 * A PostgreSQL array as text: both drivers pass it on unchanged, several times faster than they build one from a
 * JavaScript array.
 */
export const pgArray = (values: readonly Scalar[]): string => arrayText(values, itself)

/** A column of cells as one array parameter. */
export const pgColumn = (cells: readonly Cell[]): string => arrayText(cells, itself)

/** One array parameter for each of the cells that are made of an item. */
export const pgColumns = <Item>(items: readonly Item[], cells: readonly ((item: Item) => Cell)[]): string[] =>
  cells.map((cell) => arrayText(items, cell))

/** One array parameter for each place in rows of cells; cells that a row lacks at its end are null. */
export const pgRowColumns = (rows: readonly (readonly Cell[])[], width: number): string[] =>
  Array.from({ length: width }, (_, index) => arrayText(rows, (row) => row[index] ?? null))

/** A moment in ms as a bigint, which takes a quarter of what its text does; `momentOf` makes a timestamptz of it. */
export const moment = (ms: number | null): number | null => (ms === null ? null : Math.trunc(ms))

/** The moment in a column of ms, as SQL. */
export const momentOf = (column: string): string =>
  `timestamptz 'epoch' + ${column} * interval '1 millisecond'`

/** Columns of rows that travel as one array parameter each. */
export type Columns = readonly (readonly [name: string, type: string])[]

/** Their parameters for `unnest`, from $`from` on. */
export const columnArrays = (columns: Columns, from = 1): string =>
  columns.map(([, type], index) => `$${index + from}::${type}[]`).join(', ')

export const columnNames = (columns: Columns): string => columns.map(([name]) => name).join(', ')
