'use client'

import { Download, X } from 'lucide-react'
import { debounce, useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { PlanLink } from '@/components/change/plan-link'
import { Button } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import { Tooltip } from '@/components/ui/tooltip'
import type { Grouping } from '@/lib/domain/gpu-list/arrange-gpus'
import { HOLDINGS } from '@/lib/domain/gpu-list/filter-gpus'
import type { GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import {
  aggregateChoices,
  frameworkChoices,
  groupChoices,
  holdingChoices,
  modelChoices,
  typeChoices,
} from './gpu-choices'
import { NO_FILTER } from './gpu-params'
import { gpuSearchParams } from './gpu-search-params'

/** The list follows each key; the address, whose change the router passes to the whole page, follows the word. */
const TYPING = { limitUrlUpdates: debounce(300) }

/** Where changes of the selected are planned; or why they can't be. */
export type Tagging =
  | { path: string; typePath: string; orphansPath: string; refusal: null }
  | { path: null; typePath: null; orphansPath: null; refusal: string }

export const GpuTools = ({
  store,
  selected,
  onClear,
  onExport,
  tagging,
}: {
  store: GpuStore
  /** How many pGPUs are selected. */
  selected: number
  onClear: () => void
  /** Null: the rows are still on their way. */
  onExport: (() => void) | null
  tagging: Tagging
}) => {
  const [params, setParams] = useQueryStates(gpuSearchParams)
  const choices = useMemo(
    () => ({
      model: modelChoices(store),
      type: typeChoices(store),
      framework: frameworkChoices(store),
      aggregate: aggregateChoices(store),
      holding: holdingChoices(store),
      group: groupChoices(store),
    }),
    [store],
  )
  const { q, model, type, framework, aggregate, finding, holds, group } = params
  const isNarrowed =
    q !== '' ||
    model.length + type.length + framework.length + aggregate.length > 0 ||
    finding !== null ||
    holds !== null
  return (
    <Toolbar isTight>
      <FilterInput
        className="sm:w-[184px] 2xl:w-[250px]"
        label="Filter by host, address, server"
        placeholder="Host, address or server"
        value={q}
        onChange={(q) => void setParams({ q }, TYPING)}
      />
      <ChoiceChip
        label="Model"
        isMultiple
        choices={choices.model}
        chosen={model}
        onChoose={(chosen) => void setParams({ model: chosen })}
      />
      <ChoiceChip
        label="Type"
        isMultiple
        choices={choices.type}
        chosen={type}
        onChoose={(chosen) => void setParams({ type: chosen })}
      />
      {choices.aggregate.length + aggregate.length === 0 ? null : (
        <ChoiceChip
          label="Aggregate"
          isMultiple
          choices={choices.aggregate}
          chosen={aggregate}
          onChoose={(chosen) => void setParams({ aggregate: chosen })}
        />
      )}
      <ChoiceChip
        label="Framework"
        isMultiple
        choices={choices.framework}
        chosen={framework}
        onChoose={(chosen) => void setParams({ framework: chosen })}
      />
      <ChoiceChip
        label="With"
        isMultiple
        choices={choices.holding}
        chosen={holds === null ? [] : [holds]}
        onChoose={(chosen) =>
          void setParams({ holds: HOLDINGS.find((one) => one === chosen.at(-1)) ?? null })
        }
      />
      <Button
        variant={finding === null ? 'chip' : 'chipOn'}
        aria-pressed={finding !== null}
        onClick={() => void setParams({ finding: finding === null ? 'any' : null })}
      >
        {finding === null || finding === 'any' ? 'With findings' : `Finding: ${finding.replaceAll('-', ' ')}`}
      </Button>
      {isNarrowed ? (
        <Button variant="ghost" onClick={() => void setParams(NO_FILTER)}>
          <X size={13} aria-hidden /> Clear
        </Button>
      ) : null}
      <div className="flex flex-wrap items-center gap-[inherit] sm:ml-auto">
        <ChoiceChip
          label="Group by"
          isMultiple={false}
          choices={choices.group}
          chosen={[group]}
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
          aria-label={selected === 0 ? 'CSV of the rows shown' : 'CSV of the rows selected'}
        >
          <Download size={13} aria-hidden className="text-ink3 lg:max-2xl:hidden" /> CSV
        </Button>
        {tagging.orphansPath === null ? null : (
          <PlanLink href={tagging.orphansPath}>{`Remove orphans of ${selected}`}</PlanLink>
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
    </Toolbar>
  )
}
