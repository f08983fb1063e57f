import type { CellKind } from '@/lib/domain/pgpu/types'
import { classNames } from '@/lib/util/class-names'

const SWATCHES: Record<CellKind, string> = {
  used: 'cell-used',
  spare: 'cell-spare',
  orphan: 'cell-orphan',
  unknown: 'cell-unknown',
  free: 'cell-free',
  locked: 'cell-locked',
}

/** The small sign of a kind of cell. */
export const CellSwatch = ({ kind }: { kind: CellKind }) => (
  <i
    className={classNames('-mb-px inline-block size-2.5 flex-none rounded-[2.5px] border', SWATCHES[kind])}
  />
)

const MEANINGS: readonly (readonly [CellKind, string])[] = [
  ['used', 'used by a server'],
  ['spare', 'spare: made, attached to nothing, Nova will hand it out'],
  ['orphan', 'orphan: of a type that nova.conf no longer names'],
  ['free', 'free'],
  ['locked', 'can’t be made now'],
  ['unknown', 'unknown'],
]

/** One paragraph, so that it is painted as one piece while the numbers are still on their way. */
export const CellLegend = () => (
  <p className="mx-0.5 my-2.5 text-ink2 text-small leading-[20px]">
    {MEANINGS.map(([kind, meaning]) => (
      <span key={kind} className="mr-4 sm:whitespace-nowrap">
        <CellSwatch kind={kind} /> {meaning}
      </span>
    ))}
  </p>
)
