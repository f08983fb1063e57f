import { classNames } from '@/lib/util/class-names'
import type { Side } from './use-scenario'

/** The letter of a compared scenario: A is filled, B has a dashed frame. */
export const SideMark = ({ side }: { side: Side }) => (
  <span
    className={classNames(
      'inline-flex size-[18px] shrink-0 items-center justify-center rounded-[4px] font-semibold text-tiny uppercase',
      side === 'a' ? 'border border-ink bg-ink text-panel' : 'border border-ink border-dashed text-ink',
    )}
  >
    {side}
  </span>
)
