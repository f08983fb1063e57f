'use client'

import { Download, X } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { frameworkWords } from '@/components/gpu/gpu-words'
import { Button } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { Input } from '@/components/ui/input'
import { Tooltip } from '@/components/ui/tooltip'
import { GROUPINGS, type Grouping } from './arrange-gpus'
import { HOLDINGS, type Holding, NO_TYPE } from './filter-gpus'
import { gpuSearchParams, NO_FILTER } from './gpu-search-params'
import { type GpuStore, UNKNOWN } from './gpu-store'

const GROUP_CHOICES = [
  ...GROUPINGS.map((value) => ({ value, label: value === 'none' ? 'nothing' : value })),
  {
    value: 'aggregate',
    label: 'aggregate',
    unavailable: 'Aggregates are known once the cloud’s Nova is connected.',
  },
]

const HOLDING_WORDS: Record<Holding, string> = {
  used: 'vGPUs in use',
  spare: 'spare vGPUs',
  orphan: 'orphans',
  free: 'room for more',
  unknown: 'unknown numbers',
  silent: 'a silent host',
}

const counted = (column: Int32Array, entries: number): { of: number[]; unknown: number } => {
  const counts = new Array<number>(entries).fill(0)
  let unknown = 0
  for (const index of column) {
    if (index === UNKNOWN) unknown += 1
    else counts[index] = (counts[index] ?? 0) + 1
  }
  return { of: counts, unknown }
}

const byName = (a: { label: string }, b: { label: string }) =>
  a.label.localeCompare(b.label, 'en', { numeric: true })

const modelChoices = ({ data, columns }: GpuStore) => {
  const counts = counted(columns.modelIndex, data.models.length)
  return data.models
    .map((model, at) => ({ value: model, label: model, count: counts.of[at] ?? 0 }))
    .toSorted(byName)
}

/** Types of one id are one choice, though drivers may describe them differently. */
const typeChoices = ({ data, columns }: GpuStore) => {
  const counts = counted(columns.typeIndex, data.types.length)
  const byId = new Map<string, { value: string; label: string; count: number }>()
  for (const [at, { typeId, shortName }] of data.types.entries()) {
    const held = byId.get(typeId)
    const count = (held?.count ?? 0) + (counts.of[at] ?? 0)
    const label = held === undefined || held.label === typeId ? shortName : held.label
    byId.set(typeId, { value: typeId, label, count })
  }
  const none = { value: NO_TYPE, label: 'no type', count: counts.unknown }
  return [...[...byId.values()].toSorted(byName), ...(counts.unknown === 0 ? [] : [none])]
}

const frameworkChoices = ({ data, columns }: GpuStore) => {
  const counts = counted(columns.frameworkIndex, data.frameworks.length)
  return data.frameworks.map((value, at) => ({
    value,
    label: frameworkWords(value),
    count: counts.of[at] ?? 0,
  }))
}

export const GpuTools = ({
  store,
  selected,
  onClear,
  onExport,
}: {
  store: GpuStore
  /** How many pGPUs are selected. */
  selected: number
  onClear: () => void
  onExport: () => void
}) => {
  const [params, setParams] = useQueryStates(gpuSearchParams)
  const choices = useMemo(
    () => ({ model: modelChoices(store), type: typeChoices(store), framework: frameworkChoices(store) }),
    [store],
  )
  const { q, model, type, framework, finding, holds, group } = params
  const isNarrowed =
    q !== '' || model.length + type.length + framework.length > 0 || finding !== null || holds !== null
  return (
    <div className="mb-2.5 flex flex-wrap items-center gap-2 print:hidden">
      <div className="w-full sm:w-[210px] 2xl:w-[250px]">
        <Input
          type="search"
          aria-label="Filter by host, address, server"
          placeholder="Host, address or server"
          value={q}
          maxLength={100}
          onChange={(event) => void setParams({ q: event.target.value })}
        />
      </div>
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
        choices={HOLDINGS.map((value) => ({ value, label: HOLDING_WORDS[value] }))}
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
      <span className="flex-1" />
      <ChoiceChip
        label="Group by"
        isMultiple={false}
        choices={GROUP_CHOICES}
        chosen={[group]}
        onChoose={([chosen]) => void setParams({ group: chosen as Grouping })}
      />
      {selected === 0 ? null : (
        <Button variant="ghost" onClick={onClear} aria-label={`Clear the selection of ${selected}`}>
          <X size={13} aria-hidden /> {selected} selected
        </Button>
      )}
      <Button
        onClick={onExport}
        aria-label={selected === 0 ? 'CSV of the rows shown' : 'CSV of the rows selected'}
      >
        <Download size={13} aria-hidden className="text-ink3" /> CSV
      </Button>
      <Tooltip content="Type changes are guided runs with a check and an undo for each step; they come with a later release. Until then the console only reads.">
        <Button variant="main" isUnavailable>
          {selected === 0 ? 'Change type' : `Change type of ${selected}`}
        </Button>
      </Tooltip>
    </div>
  )
}
