'use client'

import { type CSSProperties, memo, useMemo } from 'react'
import { CellPatterns } from '@/components/gpu/cell-patterns'
import type { SortColumn } from '@/lib/domain/gpu-list/arrange-gpus'
import { isCloudRead } from '@/lib/domain/gpu-list/gpu-store'
import { lineCount } from '@/lib/domain/gpu-list/lines'
import { classNames } from '@/lib/util/class-names'
import type { GpuColumn } from './gpu-columns'
import { GpuRows } from './gpu-rows'
import { selectedAmong } from './selection'
import type { SetGpuParams } from './use-gpu-params'
import type { GpuView } from './use-gpu-view'
import type { Selection } from './use-selection'
import type { ShownGpu } from './use-shown-gpu'

const head = 'min-w-0 whitespace-nowrap px-2.5 text-left font-[550] text-ink2 text-small leading-[33px]'

/** Two columns under one another share a heading, which a line parts. */
const PARTED: Partial<Record<SortColumn, string>> = {
  used: 'not-first:ml-2 not-first:border-line not-first:border-l not-first:pl-2',
  finding: 'not-first:ml-2 not-first:border-line not-first:border-l not-first:pl-2',
}

/** Columns that take the rest of the width. */
const FLEXIBLE = ['finding', 'aggregates']

/** The widths of the shown columns, from gpu-rows.css. */
const templateOf = (columns: readonly GpuColumn[]): string => {
  const shown = columns.filter(({ header }) => header !== undefined).map(({ id }) => id)
  const widths = shown.map((id) => `var(--gpu-${id})`)
  return [...widths, ...(shown.some((id) => FLEXIBLE.includes(id)) ? [] : ['minmax(0, 1fr)'])].join(' ')
}

const GpuTableHead = ({
  columns,
  selectable,
  selected,
  onSelectAll,
  isCloudRead,
  sort,
  isDescending,
  setParams,
}: {
  columns: readonly GpuColumn[]
  /** Rows shown, and how many of them are selected. Null: not all of them have come. */
  selectable: number | null
  selected: number
  onSelectAll: (isOn: boolean) => void
  isCloudRead: boolean
  sort: SortColumn
  isDescending: boolean
  setParams: SetGpuParams
}) => {
  const sortBy = (column: SortColumn) =>
    void setParams({ sort: column, desc: column === sort ? !isDescending : false })
  const isAll = selectable !== null && selectable > 0 && selected === selectable
  return (
    <thead className="gpu-head">
      <tr aria-rowindex={1}>
        {columns.map(({ id, header, sort: own, sorts, hasParts, headClass }) => {
          if (header === undefined) return null
          const parts = sorts ?? (own === undefined ? [] : [{ header, sort: own }])
          const offered = parts.filter(({ isOfCloud }) => isCloudRead || isOfCloud !== true)
          return (
            <th
              key={id}
              scope="col"
              className={classNames(head, headClass)}
              {...(offered.some((one) => one.sort === sort)
                ? { 'aria-sort': isDescending ? ('descending' as const) : ('ascending' as const) }
                : {})}
            >
              {id === 'host' ? (
                <input
                  type="checkbox"
                  className="check"
                  aria-label="Select all pGPUs shown"
                  checked={isAll}
                  disabled={selectable === null}
                  ref={(box) => {
                    if (box !== null) box.indeterminate = selected > 0 && !isAll
                  }}
                  onChange={(event) => onSelectAll(event.target.checked)}
                />
              ) : null}
              {hasParts === true || parts.length === 0 ? header : null}
              {offered.map((one) => (
                <button
                  key={one.sort}
                  type="button"
                  className={classNames(
                    'font-[550] leading-4 hover:text-ink',
                    hasParts === true && 'first:ml-auto',
                    PARTED[one.sort],
                  )}
                  onClick={() => sortBy(one.sort)}
                >
                  {one.header}
                  {one.sort === sort ? (isDescending ? ' ↓' : ' ↑') : null}
                </button>
              ))}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

type GpuTableProps = {
  view: GpuView
  columns: readonly GpuColumn[]
  selection: Selection
  /** As the address asks: the rows may be behind it for a moment. */
  sort: SortColumn
  isDescending: boolean
  setParams: SetGpuParams
  /** Of the drawer. */
  shown: ShownGpu | null
  show: (gpu: ShownGpu) => void
}

const Table = ({ view, columns, selection, sort, isDescending, setParams, shown, show }: GpuTableProps) => {
  const { rows, isWhole } = view
  const selectedCount = useMemo(() => selectedAmong(selection.selected, rows).length, [selection, rows])
  return (
    <div className="overflow-clip rounded-panel border border-line bg-panel print:overflow-visible">
      <CellPatterns hasOld={view.silentHosts.size > 0} />
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows take keys is a grid
        role="grid"
        aria-label="pGPUs"
        aria-rowcount={lineCount(view) + 1}
        aria-multiselectable
        style={{ '--gpu-columns': templateOf(columns) } as CSSProperties}
        className={classNames(
          'gpu-table',
          isCloudRead(view.store) && 'gpu-table-cloud',
          shown !== null && 'gpu-table-narrow',
        )}
      >
        <GpuTableHead
          columns={columns}
          selectable={isWhole ? rows.length : null}
          selected={selectedCount}
          onSelectAll={(isOn) => selection.set(rows, isOn)}
          isCloudRead={isCloudRead(view.store)}
          sort={sort}
          isDescending={isDescending}
          setParams={setParams}
        />
        <GpuRows view={view} columns={columns} selection={selection} shown={shown} show={show} />
      </table>
    </div>
  )
}

/** All pGPUs that the filter lets through, of which the ones in the window are drawn. */
export const GpuTable = memo(Table)
