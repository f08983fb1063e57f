import type { ReactNode } from 'react'

export type CsvValue = string | number | null

/** What the CSV needs of a column. */
export type CsvColumn<Row> = {
  /** Name of the field. */
  id: string
  csv?: ((row: Row) => CsvValue) | undefined
}

/**
 * One column of a list: all that depends on it. `Context` is what the cells need in addition to their row. A column without `cell` is in
 * the CSV alone, one without `csv` on the page alone.
 */
export type Column<Row, Context = { cloud: string | null }, Sort extends string = never> = {
  /** Name of the field in the CSV, and of the column in the address when it is hidden. */
  id: string
  header?: string
  /** Only screen readers have the header. */
  isHeaderHidden?: boolean
  /** Explains the header. */
  title?: string
  /** What the rows are sorted by with this column. */
  sort?: Sort
  /** Starts with the smallest value. By default a column starts with the largest. */
  isRising?: boolean
  isNumber?: boolean
  /** Classes of the header: its width. */
  width?: string
  /** On a narrow screen the column is left out. */
  phone?: 'hidden'
  className?: string | ((row: Row, context: Context) => string | false)
  /** Title of the cell. */
  hint?: (row: Row) => string
  /** It can't be hidden. */
  isFixed?: boolean
  /** Hidden until it is chosen. */
  isOptional?: boolean
  cell?: (row: Row, context: Context) => ReactNode
  csv?: (row: Row) => CsvValue
}

/** A column that is on the page. */
export type ShownColumn<Row, Context, Sort extends string> = Column<Row, Context, Sort> & {
  header: string
  cell: (row: Row, context: Context) => ReactNode
}

export const isShown = <Row, Context, Sort extends string>(
  column: Column<Row, Context, Sort>,
): column is ShownColumn<Row, Context, Sort> => column.cell !== undefined && column.header !== undefined
