import type { ReactNode } from 'react'
import { Disclosure } from '@/components/ui/disclosure'
import { Stat } from '@/components/ui/stat'
import type { FleetTotals } from '@/lib/schemas/api/totals'
import { formatCount, formatNoun } from '@/lib/util/format'
import { blockedNote } from './blocked-note'
import { CELL_MARK } from './cell-legend'

/** Not shown on a phone, where “Unknown” lists the reasons. */
const Reason = ({ children }: { children: ReactNode }) => <span className="max-sm:sr-only">{children}</span>

/** A number of a total for a tile; the reason is given in place of a number that is not known. */
export const figureOf = ({ unknownReason }: FleetTotals, sum: number | null, note?: ReactNode) =>
  sum === null
    ? { value: null, note: unknownReason === null ? undefined : <Reason>{unknownReason}</Reason> }
    : { value: formatCount(sum), note }

const Reasons = ({ reasons }: { reasons: readonly { reason: string; count: string }[] }) => (
  <ul className="pb-1 text-ink2">
    {reasons.map(({ reason, count }) => (
      <li key={reason} className="mt-1 flex gap-1.5">
        <span className="whitespace-nowrap font-[550] text-ink tabular-nums">{count}</span> {reason}
      </li>
    ))}
  </ul>
)

/** Shown where there is enough space for it. */
const Hint = ({ children }: { children: ReactNode }) => <span className="max-sm:hidden">{children}</span>

/** The parts of a total that no guest uses, as every page shows them: reusable, free, blocked and unknown. */
export const PartStats = ({
  totals,
  blockedHint,
}: {
  totals: FleetTotals
  blockedHint?: string | undefined
}) => {
  const { spare, free, blocked, blockedBy, unknown, unknownBy } = totals
  const affected = unknownBy.reduce((sum, { pgpus }) => sum + pgpus, 0)
  return (
    <>
      <Stat
        label="Reusable"
        mark={CELL_MARK.spare}
        {...figureOf(totals, spare, <Hint>created, unattached</Hint>)}
      />
      <Stat
        label="Free"
        mark={CELL_MARK.free}
        {...figureOf(totals, free, <Hint>can be created and scheduled</Hint>)}
      />
      <Stat
        label="Blocked"
        mark={CELL_MARK.locked}
        tone={(blocked ?? 0) > 0 ? 'warn' : 'plain'}
        {...figureOf(totals, blocked)}
      >
        {blockedBy.length === 0 ? null : (
          <Disclosure summary={blockedNote(totals)}>
            <Reasons
              reasons={blockedBy.map(({ reason, count }) => ({ reason, count: formatCount(count) }))}
            />
            {blockedHint === undefined ? null : <p className="text-ink3">{blockedHint}</p>}
          </Disclosure>
        )}
      </Stat>
      <Stat label="Unknown" mark={CELL_MARK.unknown} value={unknown === null ? null : formatCount(unknown)}>
        {affected === 0 ? null : (
          <Disclosure summary={`${formatNoun(affected, 'pGPU')} affected`}>
            <Reasons
              reasons={unknownBy.map(({ reason, pgpus }) => ({ reason, count: formatNoun(pgpus, 'pGPU') }))}
            />
          </Disclosure>
        )}
      </Stat>
    </>
  )
}
