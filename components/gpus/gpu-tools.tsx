'use client'

import { memo, type ReactNode, useMemo } from 'react'
import { frameworkLabel } from '@/components/gpu/gpu-labels'
import { Button } from '@/components/ui/button'
import type { Choice } from '@/components/ui/choice-button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import { GROUPINGS, type Grouping } from '@/lib/domain/gpu-list/arrange-gpus'
import { entryCount } from '@/lib/domain/gpu-list/entry-count'
import { NO_AGGREGATE, NO_TYPE } from '@/lib/domain/gpu-list/filter-gpus'
import { type GpuStore, isCloudRead } from '@/lib/domain/gpu-list/gpu-store'
import { HOLDINGS, type Holding } from '@/lib/schemas/holdings'
import { naturalOrder } from '@/lib/util/natural-order'
import { NO_FILTER } from './gpu-params'
import type { GpuParams, SetGpuParams } from './use-gpu-params'

const HOLDING_LABELS: Record<Holding, string> = {
  used: 'vGPUs in use',
  spare: 'spare vGPUs',
  orphan: 'orphans',
  free: 'free capacity',
  stranded: 'stranded vGPUs',
  unknown: 'unknown numbers',
  silent: 'a silent host',
}

const NO_CLOUD = 'No cloud is connected.'

/** Not by `localeCompare`: the first one loads the browser's language data while the page starts. */
const byName = (a: Choice, b: Choice) => naturalOrder(a.label, b.label)

const modelChoices = ({ data, sizes }: GpuStore): Choice[] =>
  data.models
    .map((model, at) => ({ value: model, label: model, count: sizes.model[at] ?? 0 }))
    .toSorted(byName)

/** Types of one id are one choice, though drivers may describe them differently. */
const typeChoices = (store: GpuStore): Choice[] => {
  const { data, sizes } = store
  const byId = new Map<string, { value: string; label: string; count: number }>()
  for (const [at, { typeId, shortName }] of data.types.entries()) {
    const held = byId.get(typeId)
    const count = (held?.count ?? 0) + (sizes.type[at] ?? 0)
    const label = held === undefined || held.label === typeId ? shortName : held.label
    byId.set(typeId, { value: typeId, label, count })
  }
  const none = { value: NO_TYPE, label: 'no type', count: entryCount(store, 'type', null) }
  return [...[...byId.values()].toSorted(byName), ...(none.count === 0 ? [] : [none])]
}

const frameworkChoices = ({ data, sizes }: GpuStore): Choice[] =>
  data.frameworks.map((value, at) => ({
    value,
    label: frameworkLabel(value),
    count: sizes.framework[at] ?? 0,
  }))

/** A host in several aggregates counts in each of them. */
export const aggregateChoices = ({ data, sizes }: GpuStore): Choice[] => {
  const of = sizes.aggregateSet
  const counts = new Map<string, number>()
  let inNone = 0
  for (const [at, names] of data.aggregateSets.entries()) {
    if (names.length === 0) inNone += of[at] ?? 0
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + (of[at] ?? 0))
  }
  const named = [...counts].map(([name, count]) => ({ value: name, label: name, count })).toSorted(byName)
  if (named.length === 0 || inNone === 0) return named
  return [...named, { value: NO_AGGREGATE, label: 'in no aggregate', count: inNone }]
}

/** Why the list can't be grouped by aggregate; null when it can. */
const noAggregatesBecause = (store: GpuStore): string | null => {
  const { aggregateSets } = store.data
  if (aggregateSets.some((names) => names.length > 0)) return null
  if (!isCloudRead(store)) return NO_CLOUD
  return aggregateSets.length === 0
    ? 'The aggregates of the cloud are unknown.'
    : 'No host is in an aggregate.'
}

export const groupChoices = (store: GpuStore): Choice[] => {
  const because = noAggregatesBecause(store)
  return GROUPINGS.map((value) => ({
    value,
    label: value === 'none' ? 'nothing' : value,
    ...(value === 'aggregate' && because !== null ? { unavailable: because } : {}),
  }))
}

export const holdingChoices = (store: GpuStore): Choice[] =>
  HOLDINGS.map((value) => ({
    value,
    label: HOLDING_LABELS[value],
    ...(value === 'stranded' && !isCloudRead(store) ? { unavailable: NO_CLOUD } : {}),
  }))

/** How the rows are grouped, their columns and their file. */
const ListActions = memo(
  ({
    groups,
    grouping,
    setParams,
    columnMenu,
    onExport,
  }: {
    groups: readonly Choice[]
    grouping: Grouping
    setParams: SetGpuParams
    columnMenu: ReactNode
    /** Null: the rows are still on their way. */
    onExport: (() => void) | null
  }) => (
    <div className="flex flex-wrap items-center gap-[inherit] sm:ml-auto">
      <ChoiceChip
        label="Group by"
        isMultiple={false}
        choices={groups}
        chosen={[grouping]}
        onChoose={([chosen]) => void setParams({ group: chosen as Grouping })}
      />
      {columnMenu}
      <Button disabled={onExport === null} onClick={onExport ?? undefined} aria-label="CSV of the rows shown">
        CSV
      </Button>
    </div>
  ),
)

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
    label="Show"
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
  columnMenu,
  onExport,
}: {
  store: GpuStore
  params: GpuParams
  setParams: SetGpuParams
  columnMenu: ReactNode
  /** Null: the rows are still on their way. */
  onExport: (() => void) | null
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
      <ListActions
        groups={choices.group}
        grouping={params.group}
        setParams={setParams}
        columnMenu={columnMenu}
        onExport={onExport}
      />
    </Toolbar>
  )
}

/** The filters of the list. Memoized, so that each part renders only for its own changes. */
export const GpuTools = memo(Tools)
