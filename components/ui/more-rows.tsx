import { useState } from 'react'
import { formatCount } from '@/lib/util/format'
import { Button } from './button'

/** Rows drawn at first, and with each press more. */
const PAGE = 100

/** The first rows of many, and what shows more of them; null while all are shown. */
export const useMoreRows = <Row,>(rows: readonly Row[], page = PAGE) => {
  const [most, setMost] = useState(page)
  const more =
    rows.length > most ? (
      <div className="mt-2">
        <Button onClick={() => setMost(most + page)}>
          Show {Math.min(page, rows.length - most)} more of {formatCount(rows.length)}
        </Button>
      </div>
    ) : null
  return { first: rows.slice(0, most), more }
}
