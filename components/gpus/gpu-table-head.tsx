'use client'

import { useQueryStates } from 'nuqs'
import type { SortColumn } from '@/lib/domain/gpu-list/arrange-gpus'
import { classNames } from '@/lib/util/class-names'
import { gpuSearchParams } from './gpu-search-params'

type Sort = { name: string; column: SortColumn; isOfCloud?: boolean }
type Column = { name: string; sorts: readonly Sort[]; className: string; cloudClassName?: string }

const plain = (name: string, column: SortColumn, className: string): Column => ({
  name,
  sorts: [{ name, column }],
  className,
})

/** Widths hold from the first row on, so that scrolling never moves a column. What a cloud adds shares two columns. */
const COLUMNS: readonly Column[] = [
  plain('Host', 'host', 'xl:w-[176px] min-[87.5rem]:w-[188px]'),
  plain('PCI address', 'address', 'w-[122px]'),
  plain('vGPU type', 'type', 'w-[112px] min-[87.5rem]:w-[156px]'),
  plain('Framework', 'framework', 'w-[108px] max-xl:w-0 max-xl:overflow-hidden max-xl:px-0'),
  { name: 'vGPUs', sorts: [], className: 'w-[216px]' },
  {
    name: 'Used',
    sorts: [
      { name: 'Placement', column: 'advertised', isOfCloud: true },
      { name: 'Used', column: 'used' },
    ],
    className: 'w-[72px] text-right',
    cloudClassName: 'w-[104px] text-right xl:w-[134px]',
  },
  {
    name: 'Finding',
    sorts: [
      { name: 'Stranded', column: 'stranded', isOfCloud: true },
      { name: 'Finding', column: 'finding' },
    ],
    className: '',
  },
]

const head =
  'sticky top-[41px] z-10 h-[34px] whitespace-nowrap border-line border-b bg-panel px-2.5 text-left font-[550] text-ink2 text-small lg:top-14 print:static'

export const GpuTableHead = ({
  selectable,
  selected,
  onSelectAll,
  isCloudRead,
}: {
  /** Rows shown, and how many of them are selected. Null: not all of them have come. */
  selectable: number | null
  selected: number
  onSelectAll: (isOn: boolean) => void
  isCloudRead: boolean
}) => {
  const [{ sort, desc }, setParams] = useQueryStates(gpuSearchParams)
  const sortBy = (column: SortColumn) =>
    void setParams({ sort: column, desc: column === sort ? !desc : false })
  const isAll = selectable !== null && selectable > 0 && selected === selectable
  return (
    <thead className="max-md:sr-only">
      <tr aria-rowindex={1}>
        <th scope="col" className={classNames(head, 'w-9 pr-0 print:invisible')}>
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
        </th>
        {COLUMNS.map(({ name, sorts, className, cloudClassName = className }) => {
          const offered = sorts.filter(({ isOfCloud }) => isCloudRead || isOfCloud !== true)
          return (
            <th
              key={name}
              scope="col"
              className={classNames(head, isCloudRead ? cloudClassName : className)}
              {...(offered.some(({ column }) => column === sort)
                ? { 'aria-sort': desc ? ('descending' as const) : ('ascending' as const) }
                : {})}
            >
              {offered.length === 0 ? name : null}
              {offered.map((one) => (
                <button
                  key={one.column}
                  type="button"
                  className={classNames(
                    'font-[550] not-first:ml-2.5 hover:text-ink',
                    one.column === 'advertised' && 'max-xl:hidden',
                  )}
                  onClick={() => sortBy(one.column)}
                >
                  {one.name}
                  {one.column === sort ? (desc ? ' ↓' : ' ↑') : null}
                </button>
              ))}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
