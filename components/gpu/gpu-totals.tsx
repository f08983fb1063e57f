'use client'

import { useMemo } from 'react'
import { Stat, StatStrip } from '@/components/ui/stat'
import { formatCount, formatNoun, formatPercent } from '@/lib/util/format'
import { CellSwatch } from './cell-legend'
import { StackedBar } from './stacked-bar'

export type Totals = {
  capacity: number
  used: number
  spare: number
  orphan: number
  creatable: number
  unknown: number
}

const CAPACITY_LABEL = (
  <span>
    Capacity<span className="max-sm:hidden"> of the present types</span>
  </span>
)

/** The six figures of a set of pGPUs. Silent hosts' pGPUs count as unknown and in nothing else. */
export const GpuTotals = ({
  label,
  totals,
  orphanNote,
  unknownNote,
}: {
  label: string
  totals: Totals
  orphanNote?: string | undefined
  unknownNote?: string | undefined
}) => {
  const { capacity, used, spare, orphan, creatable, unknown } = totals
  const share = useMemo(() => formatPercent(used, capacity), [used, capacity])
  return (
    <StatStrip label={label}>
      <Stat label={CAPACITY_LABEL} value={formatCount(capacity)} note="vGPUs">
        <StackedBar totals={totals} />
      </Stat>
      <Stat
        label="Used"
        mark={<CellSwatch kind="used" />}
        value={formatCount(used)}
        note={share ?? undefined}
      />
      <Stat
        label="Spare"
        mark={<CellSwatch kind="spare" />}
        value={formatCount(spare)}
        note="reused by Nova"
      />
      <Stat
        label="Orphan"
        mark={<CellSwatch kind="orphan" />}
        value={formatCount(orphan)}
        tone={orphan > 0 ? 'warn' : 'plain'}
        note={orphanNote}
      />
      <Stat
        label="Free"
        mark={<CellSwatch kind="free" />}
        value={formatCount(creatable)}
        note="can be made now"
      />
      <Stat
        label="Unknown"
        mark={<CellSwatch kind="unknown" />}
        value={formatCount(unknown)}
        note={unknownNote ?? (unknown === 1 ? 'pGPU' : 'pGPUs')}
      />
    </StatStrip>
  )
}

/** "lock 3 pGPUs". */
export const orphanNote = (pgpus: number): string | undefined =>
  pgpus === 0 ? undefined : `${pgpus === 1 ? 'locks' : 'lock'} ${formatNoun(pgpus, 'pGPU')}`
