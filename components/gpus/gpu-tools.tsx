'use client'

import { memo, useMemo } from 'react'
import { Button } from '@/components/ui/button'
import type { Choice } from '@/components/ui/choice-button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import type { GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { HOLDINGS, type Holding } from '@/lib/schemas/holdings'
import { GpuActions } from './gpu-actions'
import {
  aggregateChoices,
  frameworkChoices,
  groupChoices,
  holdingChoices,
  modelChoices,
  typeChoices,
} from './gpu-choices'
import { NO_FILTER } from './gpu-params'
import type { Tagging } from './tagging'
import type { GpuParams, SetGpuParams } from './use-gpu-params'

type ListChipProps = {
  label: string
  name: 'model' | 'type' | 'aggregate' | 'framework'
  choices: readonly Choice[]
  chosen: readonly string[]
  setParams: SetGpuParams
}

/** Narrows by the entries of one column. */
const ListChip = memo(({ label, name, choices, chosen, setParams }: ListChipProps) => (
  <ChoiceChip
    label={label}
    isMultiple
    choices={choices}
    chosen={chosen}
    onChoose={(chosen) => void setParams({ [name]: chosen })}
  />
))

type OneChipProps<Value> = { choices: readonly Choice[]; value: Value; setParams: SetGpuParams }

const HoldingChip = memo(({ choices, value, setParams }: OneChipProps<Holding | null>) => (
  <ChoiceChip
    label="With"
    isMultiple
    choices={choices}
    chosen={value === null ? [] : [value]}
    onChoose={(chosen) => void setParams({ holds: HOLDINGS.find((one) => one === chosen.at(-1)) ?? null })}
  />
))

const FindingChip = memo(({ value, setParams }: Omit<OneChipProps<string | null>, 'choices'>) => (
  <Button
    variant={value === null ? 'chip' : 'chipOn'}
    aria-pressed={value !== null}
    onClick={() => void setParams({ finding: value === null ? 'any' : null })}
  >
    {value === null || value === 'any' ? 'With findings' : `Finding: ${value.replaceAll('-', ' ')}`}
  </Button>
))

const isNarrowed = ({ q, model, type, framework, aggregate, finding, holds }: GpuParams): boolean =>
  q !== '' ||
  model.length + type.length + framework.length + aggregate.length > 0 ||
  finding !== null ||
  holds !== null

const Tools = ({
  store,
  params,
  setParams,
  selected,
  onClear,
  onExport,
  tagging,
}: {
  store: GpuStore
  params: GpuParams
  setParams: SetGpuParams
  /** How many pGPUs are selected. */
  selected: number
  onClear: () => void
  /** Null: the rows are still on their way. */
  onExport: (() => void) | null
  tagging: Tagging
}) => {
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
  const chip = (label: string, name: ListChipProps['name']) => (
    <ListChip label={label} name={name} choices={choices[name]} chosen={params[name]} setParams={setParams} />
  )
  return (
    <Toolbar isTight>
      <FilterInput
        className="sm:w-28 sm:max-w-[184px] sm:grow 2xl:max-w-[250px]"
        label="Filter by host, address, server"
        placeholder="Host, address or server"
        value={params.q}
        onChange={(q) => void setParams({ q })}
      />
      {chip('Model', 'model')}
      {chip('Type', 'type')}
      {choices.aggregate.length + params.aggregate.length === 0 ? null : chip('Aggregate', 'aggregate')}
      {chip('Framework', 'framework')}
      <HoldingChip choices={choices.holding} value={params.holds} setParams={setParams} />
      <FindingChip value={params.finding} setParams={setParams} />
      {isNarrowed(params) ? <ClearButton onClear={() => void setParams(NO_FILTER)} /> : null}
      <GpuActions
        groups={choices.group}
        grouping={params.group}
        setParams={setParams}
        selected={selected}
        onClear={onClear}
        onExport={onExport}
        tagging={tagging}
      />
    </Toolbar>
  )
}

/** The filters and actions of the list. Memoized, so that each part renders only for its own changes. */
export const GpuTools = memo(Tools)
