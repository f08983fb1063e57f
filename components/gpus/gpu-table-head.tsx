'use client'

import type { SortColumn } from '@/lib/domain/gpu-list/arrange-gpus'
import { classNames } from '@/lib/util/class-names'
import { GPU_COLUMNS } from './gpu-columns'
import type { SetGpuParams } from './use-gpu-params'

const head = 'min-w-0 whitespace-nowrap px-2.5 text-left font-[550] text-ink2 text-small leading-[33px]'

/** Two columns under one another share a heading, which a line parts. */
const PARTED: Partial<Record<SortColumn, string>> = {
  used: 'not-first:ml-2 not-first:border-line not-first:border-l not-first:pl-2',
  finding: 'not-first:ml-2 not-first:border-line not-first:border-l not-first:pl-2',
}

export const GpuTableHead = ({
  selectable,
  selected,
  onSelectAll,
  isCloudRead,
  sort,
  isDescending,
  setParams,
}: {
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
        {GPU_COLUMNS.map(({ id, header, sort: own, sorts, hasParts, headClass }) => {
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
              {hasParts === true ? header : null}
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
