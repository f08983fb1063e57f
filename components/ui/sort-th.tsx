import type { ComponentProps } from 'react'
import { Th } from './table'

/** The head of a column by which rows are sorted; `direction` is null while another column sorts. */
export const SortTh = ({
  direction,
  onSort,
  children,
  ...rest
}: ComponentProps<typeof Th> & { direction: 'ascending' | 'descending' | null; onSort: () => void }) => (
  <Th {...rest} {...(direction === null ? {} : { 'aria-sort': direction })}>
    <button type="button" className="font-[550] hover:text-ink" onClick={onSort}>
      {children}
      {direction === null ? null : direction === 'ascending' ? ' ↑' : ' ↓'}
    </button>
  </Th>
)
