import type { ComponentProps } from 'react'
import { Th } from './table'

/** A column of a table; `sort` names what it sorts by, null: rows are not sorted by it. */
export type TableColumn<Sort extends string> = {
  name: string
  sort: Sort | null
  isNumber?: boolean
  title?: string
  className?: string
}

/** Which column rows are sorted by; `isRising`: from the smallest on. */
type Sorting<Sort extends string> = { sort: Sort; isRising: boolean }

const SortTh = ({
  isRising,
  onSort,
  children,
  ...rest
}: ComponentProps<typeof Th> & {
  /** null: another column sorts. */
  isRising: boolean | null
  onSort: () => void
}) => (
  <Th {...rest} aria-sort={isRising === null ? undefined : isRising ? 'ascending' : 'descending'}>
    <button type="button" className="font-[550] hover:text-ink" onClick={onSort}>
      {children}
      {isRising === null ? null : isRising ? ' ↑' : ' ↓'}
    </button>
  </Th>
)

/** The heads of a table's columns, those that rows can be sorted by as buttons. */
export const SortThs = <Sort extends string>({
  columns,
  sorting: { sort, isRising },
  onSort,
}: {
  columns: readonly TableColumn<Sort>[]
  sorting: Sorting<Sort>
  onSort: (sort: Sort) => void
}) =>
  columns.map(({ name, sort: own, ...cell }) =>
    own === null ? (
      <Th key={name} {...cell}>
        {name}
      </Th>
    ) : (
      <SortTh key={name} {...cell} isRising={own === sort ? isRising : null} onSort={() => onSort(own)}>
        {name}
      </SortTh>
    ),
  )
