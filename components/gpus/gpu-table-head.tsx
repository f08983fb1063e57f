'use client'

import { useQueryStates } from 'nuqs'
import { classNames } from '@/lib/util/class-names'
import type { SortColumn } from './arrange-gpus'
import { gpuSearchParams } from './gpu-search-params'

type Column = { name: string; sort: SortColumn | null; className: string }

/** Widths hold from the first row on, so that scrolling never moves a column. */
const COLUMNS: readonly Column[] = [
  { name: 'Host', sort: 'host', className: 'xl:w-[212px]' },
  { name: 'PCI address', sort: 'address', className: 'w-[122px]' },
  { name: 'vGPU type', sort: 'type', className: 'w-[112px] xl:w-[172px]' },
  {
    name: 'Framework',
    sort: 'framework',
    className: 'w-[116px] max-xl:w-0 max-xl:overflow-hidden max-xl:px-0',
  },
  { name: 'vGPUs', sort: null, className: 'w-[216px]' },
  { name: 'Used', sort: 'used', className: 'w-[72px] text-right' },
  { name: 'Finding', sort: 'finding', className: '' },
]

const head =
  'sticky top-[41px] z-10 h-[34px] whitespace-nowrap border-line border-b bg-panel px-2.5 text-left font-[550] text-ink2 text-small lg:top-14 print:static'

export const GpuTableHead = ({
  selectable,
  selected,
  onSelectAll,
}: {
  /** Rows shown, and how many of them are selected. */
  selectable: number
  selected: number
  onSelectAll: (isOn: boolean) => void
}) => {
  const [{ sort, desc }, setParams] = useQueryStates(gpuSearchParams)
  const sortBy = (column: SortColumn) =>
    void setParams({ sort: column, desc: column === sort ? !desc : false })
  const isAll = selectable > 0 && selected === selectable
  return (
    <thead className="max-md:sr-only">
      <tr aria-rowindex={1}>
        <th scope="col" className={classNames(head, 'w-9 pr-0 print:invisible')}>
          <input
            type="checkbox"
            className="check"
            aria-label="Select all pGPUs shown"
            checked={isAll}
            ref={(box) => {
              if (box !== null) box.indeterminate = selected > 0 && !isAll
            }}
            onChange={(event) => onSelectAll(event.target.checked)}
          />
        </th>
        {COLUMNS.map(({ name, sort: column, className }) => (
          <th
            key={name}
            scope="col"
            className={classNames(head, className)}
            {...(column !== null && column === sort
              ? { 'aria-sort': desc ? ('descending' as const) : ('ascending' as const) }
              : {})}
          >
            {column === null ? (
              name
            ) : (
              <button type="button" className="font-[550] hover:text-ink" onClick={() => sortBy(column)}>
                {name}
                {column === sort ? (desc ? ' ↓' : ' ↑') : null}
              </button>
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}
