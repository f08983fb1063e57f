'use client'

import { Stat, StatStrip } from '@/components/ui/stat'
import type { FleetTotals } from '@/lib/schemas/api/totals'
import { formatCount, formatNoun, formatPercent } from '@/lib/util/format'
import { CELL_MARK } from './cell-legend'
import { LastKnownNote } from './last-known-note'
import { figureOf, PartStats } from './part-stats'
import { StackedBar } from './stacked-bar'

/** `6 of 8 in use, 2 free`. */
const passthroughNote = ({ used, free, blocked }: FleetTotals): string =>
  [
    `${used === null ? '–' : formatCount(used)} in use`,
    free === null ? null : `${formatCount(free)} free`,
    blocked === null || blocked === 0 ? null : `${formatCount(blocked)} blocked`,
  ]
    .filter((part) => part !== null)
    .join(', ')

/** On a phone in four low rows: the total, three parts, two parts with reasons, the passthrough GPUs. */
const PHONE =
  'max-sm:grid-cols-6 max-sm:[&>*]:col-span-2 max-sm:[&>*]:py-1.5 max-sm:[&>*:first-child]:col-span-6 max-sm:[&>*:nth-child(5)]:col-span-3 max-sm:[&>*:nth-child(6)]:col-span-3 max-sm:[&>*:nth-child(7)]:col-span-6'

/** The totals of a set of pGPUs: total capacity = in use + reusable + free + blocked + unknown. */
export const GpuTotals = ({
  label,
  totals,
  passthrough,
  blockedHint,
}: {
  label: string
  totals: FleetTotals
  /** A separate total; undefined or without pGPUs: not shown. */
  passthrough?: FleetTotals | undefined
  blockedHint?: string | undefined
}) => {
  const { capacity, used, lastKnown } = totals
  const share = used === null || capacity === null ? null : formatPercent(used, capacity)
  return (
    <StatStrip label={label} className={PHONE}>
      <Stat label="Total capacity" {...figureOf(totals, capacity, 'vGPUs')}>
        <StackedBar totals={totals} />
        <LastKnownNote lastKnown={lastKnown} />
      </Stat>
      <Stat label="In use" mark={CELL_MARK.used} {...figureOf(totals, used, share ?? undefined)}>
        <div className="max-sm:hidden">
          <LastKnownNote lastKnown={lastKnown} part="used" />
        </div>
      </Stat>
      <PartStats totals={totals} blockedHint={blockedHint} />
      {passthrough === undefined || passthrough.pgpus === 0 ? null : (
        <Stat
          label="Passthrough GPUs"
          {...figureOf(passthrough, passthrough.capacity, passthroughNote(passthrough))}
        >
          <LastKnownNote lastKnown={passthrough.lastKnown} />
        </Stat>
      )}
    </StatStrip>
  )
}

/** `Orphaned mdevs on 3 pGPUs`. */
export const orphanNote = (pgpus: number): string | undefined =>
  pgpus === 0 ? undefined : `Orphaned mdevs on ${formatNoun(pgpus, 'pGPU')}`
