'use client'

import type { SortColumn } from '@/lib/domain/gpu-list/arrange-gpus'
import { classNames } from '@/lib/util/class-names'
import type { SetGpuParams } from './use-gpu-params'

type Sort = { name: string; column: SortColumn; isOfCloud?: boolean }
/** `isNamed`: its name is shown before its sort keys, which are parts of it. */
type Column = { name: string; sorts: readonly Sort[]; isNamed?: boolean; className?: string }

const plain = (name: string, column: SortColumn, className = ''): Column => ({
  name,
  sorts: [{ name, column }],
  className,
})

/** Widths stand in gpu-rows.css, for the rows too. What a cloud adds shares two columns. */
const COLUMNS: readonly Column[] = [
  plain('Host', 'host'),
  plain('PCI address', 'address'),
  plain('vGPU type', 'type'),
  plain('Framework', 'framework', 'max-xl:overflow-hidden max-xl:px-0'),
  {
    name: 'vGPUs',
    sorts: [
      { name: 'Placement', column: 'advertised', isOfCloud: true },
      { name: 'Used', column: 'used' },
    ],
    isNamed: true,
    className: 'flex items-center',
  },
  {
    name: 'Finding',
    sorts: [
      { name: 'Stranded', column: 'stranded', isOfCloud: true },
      { name: 'Finding', column: 'finding' },
    ],
  },
]

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
        {COLUMNS.map(({ name, sorts, isNamed, className }) => {
          const offered = sorts.filter(({ isOfCloud }) => isCloudRead || isOfCloud !== true)
          return (
            <th
              key={name}
              scope="col"
              className={classNames(head, className)}
              {...(offered.some(({ column }) => column === sort)
                ? { 'aria-sort': isDescending ? ('descending' as const) : ('ascending' as const) }
                : {})}
            >
              {name === 'Host' ? (
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
              {isNamed === true ? name : null}
              {offered.map((one) => (
                <button
                  key={one.column}
                  type="button"
                  className={classNames(
                    'font-[550] leading-4 hover:text-ink',
                    isNamed === true && 'first:ml-auto',
                    PARTED[one.column],
                  )}
                  onClick={() => sortBy(one.column)}
                >
                  {one.name}
                  {one.column === sort ? (isDescending ? ' ↓' : ' ↑') : null}
                </button>
              ))}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
