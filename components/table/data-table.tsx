import { Fragment, type ReactNode } from 'react'
import { Table, TablePanel, Td, Th } from '@/components/ui/table'
import { classNames } from '@/lib/util/class-names'
import { type Column, isShown, type ShownColumn } from './column'
import type { RowNavigation } from './use-row-navigation'

/** What the rows are sorted by. `desc` reverses the order in which the column starts. */
type Sorting<Sort extends string> = {
  sort: Sort
  desc: boolean
  set: (sorting: { sort: Sort; desc: boolean }) => unknown
}

/** The headers of a list, those that it can be sorted by as buttons. */
export const TableHead = <Row, Context, Sort extends string>({
  columns,
  sorting,
  isNumbered,
  className,
}: {
  columns: readonly ShownColumn<Row, Context, Sort>[]
  sorting: Sorting<Sort> | undefined
  /** Rows are numbered, since not all of them are drawn. */
  isNumbered: boolean
  className?: string | undefined
}) => (
  <thead className={className}>
    <tr aria-rowindex={isNumbered ? 1 : undefined}>
      {columns.map(
        ({ id, header, isHeaderHidden, title, sort, isRising = false, isNumber = false, width, phone }) => {
          const cell = {
            isNumber,
            title,
            className: classNames(width, phone === 'hidden' && 'max-md:hidden'),
          }
          if (sort === undefined || sorting === undefined)
            return (
              <Th key={id} {...cell}>
                {isHeaderHidden === true ? <span className="sr-only">{header}</span> : header}
              </Th>
            )
          const isSorted = sorting.sort === sort
          const isUp = isRising !== sorting.desc
          return (
            <Th key={id} {...cell} aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : undefined}>
              <button
                type="button"
                className="font-[550] hover:text-ink"
                onClick={() => void sorting.set({ sort, desc: isSorted ? !sorting.desc : false })}
              >
                {header}
                {isSorted ? (isUp ? ' ↑' : ' ↓') : null}
              </button>
            </Th>
          )
        },
      )}
    </tr>
  </thead>
)

/** Rows under a heading. */
type RowGroup<Row> = {
  key: string
  heading: ReactNode
  rows: readonly Row[]
  /** After the rows, over all columns. */
  foot?: ReactNode
}

type DataTableProps<Row, Context, Sort extends string> = {
  label: string
  columns: readonly Column<Row, Context, Sort>[]
  rows: readonly Row[]
  /** The same rows under headings. */
  groups?: readonly RowGroup<Row>[]
  /** What the cells need in addition to their row. */
  context: Context
  rowKey: (row: Row) => string | number
  rowClass?: (row: Row) => string
  sorting?: Sorting<Sort>
  /** Of `useRowNavigation`: the rows open pages, and of a long list only those in the window are drawn. */
  navigation?: RowNavigation
  /** Shown under a row, over all columns, with the id `detail-KEY`; null: nothing. */
  detail?: (row: Row) => ReactNode
  headClass?: string
  className?: string
}

const Gap = ({ height = 0, span }: { height: number | undefined; span: number }) =>
  height === 0 ? null : (
    <tr aria-hidden style={{ height }}>
      <td colSpan={span} />
    </tr>
  )

/** Rows of a list by its columns. */
export const DataTable = <Row, Context, Sort extends string = never>({
  label,
  columns,
  rows,
  groups = [{ key: 'all', heading: null, rows }],
  context,
  rowKey,
  rowClass,
  sorting,
  navigation,
  detail,
  headClass,
  className,
}: DataTableProps<Row, Context, Sort>) => {
  const shown = columns.filter(isShown)
  const span = shown.length
  const { first, last, isNumbered, tabStop } = navigation ?? { first: 0, last: rows.length - 1 }
  let start = 0
  return (
    <TablePanel className={className}>
      <Table aria-label={label} {...navigation?.table}>
        <TableHead columns={shown} sorting={sorting} isNumbered={isNumbered === true} className={headClass} />
        {groups.map(({ key, heading, rows: own, foot }) => {
          const from = start
          start += own.length
          return (
            <tbody key={key} className="last:[&>tr:last-child>td]:border-b-0">
              {heading === null ? null : (
                <tr className="bg-bg">
                  <th
                    scope="rowgroup"
                    colSpan={span}
                    className="border-line border-b px-3.5 py-2 text-left font-semibold"
                  >
                    {heading}
                  </th>
                </tr>
              )}
              <Gap height={navigation?.before} span={span} />
              {own.slice(Math.max(0, first - from), Math.max(0, last + 1 - from)).map((row, at) => {
                const index = Math.max(from, first) + at
                const under = detail?.(row) ?? null
                return (
                  <Fragment key={rowKey(row)}>
                    <tr
                      data-index={index}
                      aria-rowindex={isNumbered === true ? index + 2 : undefined}
                      tabIndex={tabStop === undefined ? undefined : index === tabStop ? 0 : -1}
                      className={classNames('-outline-offset-2 hover:bg-bg', rowClass?.(row))}
                    >
                      {shown.map(({ id, isNumber, phone, className: ofCell, hint, cell }) => (
                        <Td
                          key={id}
                          title={hint?.(row)}
                          isNumber={isNumber === true}
                          className={classNames(
                            phone === 'hidden' && 'max-md:hidden',
                            typeof ofCell === 'function' ? ofCell(row, context) : ofCell,
                          )}
                        >
                          {cell(row, context)}
                        </Td>
                      ))}
                    </tr>
                    {under === null ? null : (
                      <tr id={`detail-${rowKey(row)}`}>
                        <Td colSpan={span} className="bg-bg">
                          {under}
                        </Td>
                      </tr>
                    )}
                  </Fragment>
                )
              })}
              <Gap height={navigation?.after} span={span} />
              {foot === undefined ? null : (
                <tr>
                  <td colSpan={span} className="border-line2 border-b px-3.5 py-1.5">
                    {foot}
                  </td>
                </tr>
              )}
            </tbody>
          )
        })}
      </Table>
    </TablePanel>
  )
}
