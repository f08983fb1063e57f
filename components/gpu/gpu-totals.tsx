'use client'

import { Stat, StatStrip } from '@/components/ui/stat'
import type { FleetTotals } from '@/lib/schemas/api/totals'
import { formatCount, formatNoun, formatPercent } from '@/lib/util/format'
import { blockedNote, blockedReasons } from './blocked-note'
import { CELL_MARK } from './cell-legend'
import { LastKnownNote } from './last-known-note'
import { StackedBar } from './stacked-bar'

/** `vGPUs`, `3 pGPUs not counted: the guests could not be read`. */
const unknownNote = ({ unknownPgpus, unknownReason, unknown }: FleetTotals): string | undefined => {
  if (unknownReason === null) return undefined
  const pgpus = unknownPgpus === 0 ? null : `${formatNoun(unknownPgpus, 'pGPU')} without a known capacity`
  return [unknown === 0 ? null : 'vGPUs', pgpus, unknownReason].filter((part) => part !== null).join(': ')
}

/** `6 of 8 in use, 2 free`. */
const passthroughNote = ({ used, free, blocked }: FleetTotals): string =>
  [
    `${used === null ? '–' : formatCount(used)} in use`,
    free === null ? null : `${formatCount(free)} free`,
    blocked === null || blocked === 0 ? null : `${formatCount(blocked)} blocked`,
  ]
    .filter((part) => part !== null)
    .join(', ')

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
  const { capacity, used, spare, free, blocked, unknown, unknownReason, lastKnown } = totals
  const share = used === null || capacity === null ? null : formatPercent(used, capacity)
  const figure = (sum: number | null, note?: string | undefined) => ({
    value: sum === null ? null : formatCount(sum),
    note: sum === null ? (unknownReason ?? undefined) : note,
  })
  return (
    <StatStrip label={label}>
      <Stat
        label="Total capacity"
        {...figure(capacity, 'vGPUs')}
        {...(capacity === null ? { note: `unknown: ${unknownReason}` } : {})}
      >
        <StackedBar totals={totals} />
        <LastKnownNote lastKnown={lastKnown} />
      </Stat>
      <Stat label="In use" mark={CELL_MARK.used} {...figure(used, share ?? undefined)}>
        <LastKnownNote lastKnown={lastKnown} part="used" />
      </Stat>
      <Stat label="Reusable" mark={CELL_MARK.spare} {...figure(spare, 'created, unattached')} />
      <Stat label="Free" mark={CELL_MARK.free} {...figure(free, 'can be created and scheduled')} />
      <Stat
        label="Blocked"
        mark={CELL_MARK.locked}
        tone={(blocked ?? 0) > 0 ? 'warn' : 'plain'}
        {...figure(blocked, blockedNote(totals) || undefined)}
        title={blockedReasons(totals)}
      >
        {blockedHint === undefined ? null : <p className="text-ink3 text-small">{blockedHint}</p>}
      </Stat>
      <Stat
        label="Unknown"
        mark={CELL_MARK.unknown}
        value={unknown === null ? null : formatCount(unknown)}
        note={unknownNote(totals)}
      />
      {passthrough === undefined || passthrough.pgpus === 0 ? null : (
        <Stat
          label="Passthrough GPUs"
          {...(passthrough.capacity === null
            ? { value: null, note: passthrough.unknownReason ?? undefined }
            : { value: formatCount(passthrough.capacity), note: passthroughNote(passthrough) })}
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
