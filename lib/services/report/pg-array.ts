export type Scalar = string | number | boolean | null
/** One value of a row; a list stands for a PostgreSQL array. */
export type Cell = Scalar | readonly Scalar[]

const NEEDS_QUOTES = /^$|[{}",\\\s]|^null$/i

const textElement = (value: string): string =>
  NEEDS_QUOTES.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value

const element = (value: Scalar): string => {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? textElement(value) : String(value)
}

/**
 * A PostgreSQL array as text: both drivers pass it on as it stands, several times quicker than they build one from a
 * JavaScript array.
 */
export const pgArray = (values: readonly Scalar[]): string => `{${values.map(element).join()}}`

/** A column of cells as one array parameter; lists become texts to be cast back. */
export const pgColumn = (cells: readonly Cell[]): string =>
  pgArray(cells.map((cell) => (Array.isArray(cell) ? pgArray(cell) : (cell as Scalar))))

/** One array parameter for each of the cells that are made of an item. */
export const pgColumns = <Item>(items: readonly Item[], cells: readonly ((item: Item) => Cell)[]): string[] =>
  cells.map((cell) => pgColumn(items.map(cell)))

/** A moment in ms as a bigint, which takes a quarter of what its text does; `momentOf` makes a timestamptz of it. */
export const moment = (ms: number | null): number | null => (ms === null ? null : Math.trunc(ms))

/** The moment in a column of ms, as SQL. */
export const momentOf = (column: string): string =>
  `timestamptz 'epoch' + ${column} * interval '1 millisecond'`
