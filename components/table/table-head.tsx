import { Th } from '@/components/ui/table'
import { classNames } from '@/lib/util/class-names'
import type { ShownColumn } from './column'

/** What the rows are sorted by. `desc` reverses the order in which the column starts. */
export type Sorting<Sort extends string> = {
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
      {columns.map(({ id, header, title, sort, isRising = false, isNumber = false, width, phone }) => {
        const cell = { isNumber, title, className: classNames(width, phone === 'hidden' && 'max-md:hidden') }
        if (sort === undefined || sorting === undefined)
          return (
            <Th key={id} {...cell}>
              {header}
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
      })}
    </tr>
  </thead>
)
