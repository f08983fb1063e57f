import { useState } from 'react'
import { formatCount } from '@/lib/util/format'
import { Button } from './button'

/** Rows drawn at first, and with each press more. */
const PAGE = 100

/** The first rows of many, and what shows more of them; null while all are shown. */
export const useMoreRows = <Row,>(rows: readonly Row[], page = PAGE) => {
  const [max, setMax] = useState(page)
  const more =
    rows.length > max ? (
      <div className="mt-2">
        <Button onClick={() => setMax(max + page)}>
          Show {Math.min(page, rows.length - max)} more of {formatCount(rows.length)}
        </Button>
      </div>
    ) : null
  return { first: rows.slice(0, max), more }
}

/** The link to the next page of a list. Also in print, since rows that are not loaded are not printed. */
export const MoreRows = ({
  shown,
  total,
  onMore,
}: {
  shown: number
  total: number
  /** Loads the next page; null: there is none. */
  onMore: (() => void) | null
}) =>
  onMore === null ? null : (
    <p className="mt-2 flex items-center gap-2 text-ink3 text-small">
      <span className="print:hidden">
        <Button onClick={onMore}>Show more</Button>
      </span>
      Showing {formatCount(shown)} of {formatCount(total)}
    </p>
  )
