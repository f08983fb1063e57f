import { memo } from 'react'
import type { CellKind } from '@/lib/domain/pgpu/types'
import { classNames } from '@/lib/util/class-names'

/** Class that draws the small sign of a kind of cell before what has it. */
export const CELL_MARK: Record<CellKind, string> = {
  used: 'cell-mark before:cell-used',
  spare: 'cell-mark before:cell-spare',
  orphan: 'cell-mark before:cell-orphan',
  unknown: 'cell-mark before:cell-unknown',
  free: 'cell-mark before:cell-free',
  locked: 'cell-mark before:cell-locked',
}

const MEANINGS: readonly (readonly [CellKind, string])[] = [
  ['used', 'in use'],
  ['spare', 'created, unattached, reusable'],
  ['orphan', 'orphaned: nova.conf no longer lists the type'],
  ['free', 'free'],
  ['locked', 'blocked'],
  ['unknown', 'unknown'],
]

/** One paragraph, so that it is painted as one piece while the numbers are still on their way. */
export const CellLegend = memo(() => (
  <p className="mx-0.5 my-2.5 text-ink2 text-small leading-[20px]">
    {MEANINGS.map(([kind, meaning]) => (
      <span key={kind} className={classNames(CELL_MARK[kind], 'mr-4 before:mr-1 sm:whitespace-nowrap')}>
        {meaning}
      </span>
    ))}
  </p>
))
