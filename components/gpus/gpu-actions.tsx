'use client'

import { X } from 'lucide-react'
import { memo } from 'react'
import { PlanLink } from '@/components/change/plan-link'
import { Button } from '@/components/ui/button'
import type { Choice } from '@/components/ui/choice-button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { Tooltip } from '@/components/ui/tooltip'
import type { Grouping } from '@/lib/domain/gpu-list/arrange-gpus'
import type { Tagging } from './tagging'
import type { SetGpuParams } from './use-gpu-params'

const Actions = ({
  groups,
  grouping,
  setParams,
  selected,
  onClear,
  onExport,
  tagging,
}: {
  groups: readonly Choice[]
  grouping: Grouping
  setParams: SetGpuParams
  /** How many pGPUs are selected. */
  selected: number
  onClear: () => void
  /** Null: the rows are still on their way. */
  onExport: (() => void) | null
  tagging: Tagging
}) => (
  <div className="flex flex-wrap items-center gap-[inherit] sm:ml-auto">
    <ChoiceChip
      label="Group by"
      isMultiple={false}
      choices={groups}
      chosen={[grouping]}
      onChoose={([chosen]) => void setParams({ group: chosen as Grouping })}
    />
    {selected === 0 ? null : (
      <Button variant="ghost" onClick={onClear} aria-label={`Clear the selection of ${selected}`}>
        <X size={13} aria-hidden /> {selected} selected
      </Button>
    )}
    <Button
      disabled={onExport === null}
      onClick={onExport ?? undefined}
      className="max-lg:icon-download 2xl:icon-download"
      aria-label={selected === 0 ? 'CSV of the rows shown' : 'CSV of the rows selected'}
    >
      CSV
    </Button>
    {tagging.orphansPath === null ? null : (
      <PlanLink href={tagging.orphansPath}>{`Remove orphans of ${selected}`}</PlanLink>
    )}
    {tagging.passthroughPath === null ? null : (
      <PlanLink href={tagging.passthroughPath}>{`Configure passthrough of ${selected}`}</PlanLink>
    )}
    {tagging.path === null ? (
      <Tooltip content={tagging.refusal}>
        <Button isUnavailable>Tag with traits</Button>
      </Tooltip>
    ) : (
      <PlanLink href={tagging.path}>Tag with traits</PlanLink>
    )}
    {tagging.typePath === null ? (
      <Tooltip content={tagging.refusal}>
        <Button variant="main" isUnavailable>
          Change type
        </Button>
      </Tooltip>
    ) : (
      <PlanLink href={tagging.typePath} variant="main">
        {selected === 0 ? 'Change type' : `Change type of ${selected}`}
      </PlanLink>
    )}
  </div>
)

/** What can be done with the rows shown or selected. */
export const GpuActions = memo(Actions)
