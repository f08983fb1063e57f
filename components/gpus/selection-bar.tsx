'use client'

import { X } from 'lucide-react'
import { PlanLink } from '@/components/change/plan-link'
import { unitNote } from '@/components/gpu/unit-note'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { sumGpus } from '@/lib/domain/gpu-list/sum-gpus'
import { formatCount } from '@/lib/util/format'
import { selectedActions } from './selected-actions'
import type { GpuParams } from './use-gpu-params'
import type { GpuView } from './use-gpu-view'

/** What can be done with the selected pGPUs, in the place of the filters, so that no row moves. */
export const SelectionBar = ({
  view: { store, rows, silentHosts },
  params,
  selected,
  onClear,
  onExport,
}: {
  view: GpuView
  params: GpuParams
  selected: Int32Array
  onClear: () => void
  /** Null: the rows are still on their way. */
  onExport: (() => void) | null
}) => {
  const { cloud } = useCloud()
  const { totals, passthrough } = sumGpus(store, selected, { silentHosts })
  const actions = selectedActions(store, { selected, shown: rows.length }, { cloud, params, silentHosts })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    <div
      role="group"
      aria-label="Selected pGPUs"
      className="z-10 -my-[3px] mb-[7px] flex flex-wrap items-center gap-1.5 self-start rounded-panel border border-accent bg-sel px-2 py-[2px] print:hidden"
    >
      <p className="mr-auto">
        <b className="font-semibold tabular-nums">{formatCount(selected.length)} selected</b>{' '}
        <span className="text-ink2">
          {[unitNote(totals, 'vGPU', 'vGPUs'), unitNote(passthrough, 'passthrough GPU', 'passthrough GPUs')]
            .filter((note) => note !== null)
            .join(', ')}
        </span>
      </p>
      {actions.map(({ label, path, because }) => (
        <PlanLink
          key={label}
          href={path}
          because={because}
          variant={label === 'Change type' ? 'main' : 'plain'}
        >
          {label}
        </PlanLink>
      ))}
      <Button
        disabled={onExport === null}
        onClick={onExport ?? undefined}
        aria-label="CSV of the rows selected"
      >
        CSV
      </Button>
      <Button variant="ghost" onClick={onClear} aria-label={`Clear the selection of ${selected.length}`}>
        <X size={13} aria-hidden /> Clear
      </Button>
    </div>
  )
}
