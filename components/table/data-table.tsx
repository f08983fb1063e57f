'use client'

import { useRouter } from 'next/navigation'
import { Fragment, type MouseEvent, type ReactNode, useState } from 'react'
import { Table, TablePanel, Td } from '@/components/ui/table'
import { classNames } from '@/lib/util/class-names'
import { type Column, isShown } from './column'
import { type Sorting, TableHead } from './table-head'
import { useRowFocus } from './use-row-focus'
import { useRowWindow } from './use-row-window'

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
  rows: readonly Row[]
  /** The same rows under headings. */
  groups?: readonly RowGroup<Row>[]
  columns: readonly Column<Row, Context, Sort>[]
  context: Context
  rowKey: (row: Row) => string | number
  rowClass?: (row: Row, context: Context) => string | false | undefined
  sorting?: Sorting<Sort>
  /** Page that a click on a row and Enter open. With it the keyboard goes from row to row. */
  rowPath?: (row: Row) => string
  /** Shown under a row, over all columns, with the id `detail-KEY`; null: nothing. */
  detail?: (row: Row) => ReactNode
  /** In pixels, if all rows have the same: of a long list only the rows in the window are drawn. */
  rowHeight?: number
  headClass?: string
  className?: string
}

/** For the page keys, where rows have different heights. */
const ASSUMED_HEIGHT = 33

const Gap = ({ height, span }: { height: number; span: number }) =>
  height === 0 ? null : (
    <tr aria-hidden style={{ height }}>
      <td colSpan={span} />
    </tr>
  )

/** Index of the row that was clicked; null: a control in it, or text was selected. */
const clickedIndex = ({ target }: MouseEvent): number | null => {
  if (!(target instanceof Element) || target.closest('a, button, input, label') !== null) return null
  const index = target.closest<HTMLElement>('tr[data-place]')?.dataset.place
  return index === undefined || window.getSelection()?.isCollapsed === false ? null : Number(index)
}

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
  rowPath,
  detail,
  rowHeight,
  headClass,
  className,
}: DataTableProps<Row, Context, Sort>) => {
  const router = useRouter()
  const [table, setTable] = useState<HTMLTableElement | null>(null)
  const shown = columns.filter(isShown)
  const open = (index: number) => {
    const row = rows[index]
    if (row !== undefined && rowPath !== undefined) router.push(rowPath(row))
  }
  const { first, last, before, after, scrollTo } = useRowWindow({
    body: table?.tBodies[0] ?? null,
    count: rows.length,
    rowHeight,
  })
  const { stop, onKeyDown } = useRowFocus({
    table,
    count: rows.length,
    rowHeight: rowHeight ?? ASSUMED_HEIGHT,
    open,
    scrollTo: rowHeight === undefined ? undefined : scrollTo,
  })
  const opening =
    rowPath === undefined
      ? {}
      : {
          onKeyDown,
          onClick: (event: MouseEvent) => {
            const index = clickedIndex(event)
            if (index !== null) open(index)
          },
        }
  const isLong = rowHeight !== undefined
  let start = 0
  return (
    <TablePanel className={className}>
      <Table
        ref={setTable}
        aria-label={label}
        {...(isLong ? { 'aria-rowcount': rows.length + 1 } : {})}
        {...opening}
      >
        <TableHead columns={shown} sorting={sorting} isLong={isLong} className={headClass} />
        {groups.map(({ key, heading, rows: own, foot }) => {
          const from = start
          start += own.length
          const drawn = own.slice(Math.max(0, first - from), Math.max(0, last + 1 - from))
          return (
            <tbody key={key} className="last:[&>tr:last-child>td]:border-b-0">
              {heading === null ? null : (
                <tr className="bg-bg">
                  <th
                    scope="rowgroup"
                    colSpan={shown.length}
                    className="border-line border-b px-3.5 py-2 text-left font-semibold"
                  >
                    {heading}
                  </th>
                </tr>
              )}
              <Gap height={before} span={shown.length} />
              {drawn.map((row, at) => {
                const index = Math.max(from, first) + at
                const under = detail?.(row) ?? null
                return (
                  <Fragment key={rowKey(row)}>
                    <tr
                      data-place={index}
                      {...(isLong ? { 'aria-rowindex': index + 2 } : {})}
                      {...(rowPath === undefined ? {} : { tabIndex: index === stop ? 0 : -1 })}
                      className={classNames('-outline-offset-2 hover:bg-bg', rowClass?.(row, context))}
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
                        <Td colSpan={shown.length} className="bg-bg">
                          {under}
                        </Td>
                      </tr>
                    )}
                  </Fragment>
                )
              })}
              <Gap height={after} span={shown.length} />
              {foot === undefined ? null : (
                <tr>
                  <td colSpan={shown.length} className="border-line2 border-b px-3.5 py-1.5">
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
