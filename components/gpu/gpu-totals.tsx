'use client'

import { useMemo } from 'react'
import { Stat, StatStrip } from '@/components/ui/stat'
import type { FleetTotals } from '@/lib/schemas/api/fleet'
import { formatCount, formatNoun, formatPercent } from '@/lib/util/format'
import { CELL_MARK } from './cell-legend'
import { StackedBar } from './stacked-bar'
import { unitsNote } from './units-note'

type Totals = Omit<FleetTotals, 'pgpus' | 'returning'>

/** Free vGPUs out of every flavor's reach; `sum` null is unknown, and `note` says why. */
type StrandedFigure = { sum: number | null; note: string }

const CAPACITY_LABEL = (
  <span>
    Capacity<span className="max-sm:hidden"> of the present types</span>
  </span>
)

/**
 * The figures of a set of pGPUs: capacity = used + spare + orphan + free + locked. pGPUs with an unknown number, silent
 * hosts' among them, count as unknown and in nothing else.
 */
export const GpuTotals = ({
  label,
  totals,
  wholeCards = 0,
  orphanNote,
  unknownNote,
  stranded,
}: {
  label: string
  totals: Totals
  /** Of its capacity the cards that are handed out whole. */
  wholeCards?: number
  orphanNote?: string | undefined
  unknownNote?: string | undefined
  /** Undefined: no cloud is read. */
  stranded?: StrandedFigure | undefined
}) => {
  const { capacity, used, spare, orphan, creatable, locked, unknown, unknownReason } = totals
  const share = useMemo(
    () => (used === null || capacity === null ? null : formatPercent(used, capacity)),
    [used, capacity],
  )
  const figure = (sum: number | null, note?: string | undefined) => ({
    value: sum === null ? null : formatCount(sum),
    note: sum === null ? unknownReason : note,
  })
  return (
    <StatStrip label={label}>
      <Stat
        label={CAPACITY_LABEL}
        {...figure(capacity, unitsNote(capacity, wholeCards))}
        {...(capacity === null ? { note: `unknown: ${unknownReason}` } : {})}
      >
        <StackedBar totals={totals} />
      </Stat>
      <Stat label="Used" mark={CELL_MARK.used} {...figure(used, share ?? undefined)} />
      <Stat label="Spare" mark={CELL_MARK.spare} {...figure(spare, 'reused by Nova')} />
      <Stat
        label="Orphan"
        mark={CELL_MARK.orphan}
        tone={(orphan ?? 0) > 0 ? 'warn' : 'plain'}
        {...figure(orphan, orphanNote)}
      />
      <Stat label="Free" mark={CELL_MARK.free} {...figure(creatable, 'can be made now')} />
      {locked === null || locked === 0 ? null : (
        <Stat label="Locked" mark={CELL_MARK.locked} {...figure(locked, 'can’t be made now')} />
      )}
      {stranded === undefined ? null : (
        <Stat
          label="Stranded"
          tone={(stranded.sum ?? 0) > 0 ? 'warn' : 'plain'}
          value={stranded.sum === null ? null : formatCount(stranded.sum)}
          note={stranded.note}
        />
      )}
      <Stat
        label="Unknown"
        mark={CELL_MARK.unknown}
        value={formatCount(unknown)}
        note={unknownNote ?? (unknown === 1 ? 'pGPU' : 'pGPUs')}
      />
    </StatStrip>
  )
}

/** Of how many pGPUs it is not known stands beside the sum, so that no sum passes for the whole. */
export const strandedFigure = ({
  stranded,
  strandedUnknown,
  silent,
}: {
  stranded: number | null
  strandedUnknown: number
  silent: number
}): StrandedFigure => {
  const untold = silent + strandedUnknown
  const note = untold === 0 ? 'free, out of reach' : `${formatNoun(untold, 'pGPU')} unknown`
  if (stranded !== null) return { sum: stranded, note }
  return { sum: null, note: strandedUnknown === 0 ? 'on silent hosts' : 'the cloud did not say' }
}

/** "lock 3 pGPUs". */
export const orphanNote = (pgpus: number): string | undefined =>
  pgpus === 0 ? undefined : `${pgpus === 1 ? 'locks' : 'lock'} ${formatNoun(pgpus, 'pGPU')}`
