import { TriangleAlert } from 'lucide-react'
import { UnknownNote } from '@/components/cloud/unknown-note'
import type { SourceCell } from './source-words'

/** Outline and stripes: shape and text mark the differing cell, in addition to color. */
export const ODD_CELL =
  'outline-2 outline-warn -outline-offset-2 bg-[repeating-linear-gradient(-45deg,var(--warn2)_0_5px,var(--panel)_5px_10px)]'

/** The value of one source in one row. Empty if the source has no such value, a dash with the reason if it is unknown. */
export const SourceCellContent = ({
  cell,
  because,
}: {
  cell: SourceCell
  /** Why it is the odd one out; null: it is not. */
  because: string | null
}) => {
  if (cell === null) return <span className="sr-only">has no say</span>
  return (
    <>
      {cell.value === null ? (
        <UnknownNote reason={cell.reason} />
      ) : (
        <span className="wrap-anywhere">{cell.value}</span>
      )}
      {because === null ? null : (
        <span className="mt-0.5 flex items-start gap-1 text-small text-warn">
          <TriangleAlert size={12} aria-hidden className="mt-[3px] flex-none" />
          <span className="rounded-tag bg-panel/80">{because}</span>
        </span>
      )}
    </>
  )
}
