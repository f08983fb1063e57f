'use client'

import { useQueryStates } from 'nuqs'
import type { ReactNode } from 'react'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { CsvButton } from '@/components/ui/csv-button'
import { FilterChip, FilterInput, Toolbar } from '@/components/ui/toolbar'
import { type FindingFilter, isNarrowed } from '@/lib/domain/finding-list/filter-findings'
import type { FindingList, FindingSource } from '@/lib/schemas/api/finding'
import { FINDING_SOURCES, FINDING_STATES } from '@/lib/schemas/choices'
import { SEVERITIES } from '@/lib/schemas/severity'
import { SEVERITY_LABELS, STATE_LABELS } from './finding-labels'
import { chosenStates } from './finding-question'
import { findingSearchParams, NO_FILTER } from './finding-search-params'

const toggled = <Value extends string>(chosen: readonly Value[], value: Value): Value[] =>
  chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]

type Facets = NonNullable<FindingList['facets']>

const countOf = (facet: Facets[keyof Facets], value: string): number =>
  facet.find((one) => one.value === value)?.count ?? 0

const Toggles = ({ facets, filter }: { facets: Facets; filter: FindingFilter }) => {
  const [, setParams] = useQueryStates(findingSearchParams)
  const states = chosenStates(filter.state)
  return (
    <>
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">State</legend>
        {FINDING_STATES.map((state) => (
          <FilterChip
            key={state}
            isOn={states.includes(state)}
            word={STATE_LABELS[state]}
            count={countOf(facets.state, state)}
            onToggle={() => {
              const next = toggled(states, state)
              void setParams({ state: next.length === 1 && next[0] === 'open' ? [] : next })
            }}
          />
        ))}
      </fieldset>
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">Severity</legend>
        {SEVERITIES.map((severity) => (
          <FilterChip
            key={severity}
            isOn={filter.severity.includes(severity)}
            word={SEVERITY_LABELS[severity]}
            count={countOf(facets.severity, severity)}
            onToggle={() => void setParams({ severity: toggled(filter.severity, severity) })}
          />
        ))}
      </fieldset>
    </>
  )
}

/** The values of a facet, and those chosen that no finding has. */
const choicesOf = (facet: Facets[keyof Facets], chosen: readonly string[]) => [
  ...facet,
  ...chosen
    .filter((value) => !facet.some((one) => one.value === value))
    .map((value) => ({ value, label: value.replaceAll('-', ' '), count: 0 })),
]

const Chips = ({ facets, filter }: { facets: Facets; filter: FindingFilter }) => {
  const [, setParams] = useQueryStates(findingSearchParams)
  const isSource = (value: string): value is FindingSource => FINDING_SOURCES.some((one) => one === value)
  return (
    <>
      <ChoiceChip
        label="Kind"
        isMultiple
        choices={choicesOf(facets.code, filter.code)}
        chosen={filter.code}
        onChoose={(chosen) => void setParams({ code: chosen })}
      />
      <ChoiceChip
        label="Host"
        isMultiple
        choices={choicesOf(facets.host, filter.host)}
        chosen={filter.host}
        onChoose={(chosen) => void setParams({ host: chosen })}
      />
      <ChoiceChip
        label="Source to correct"
        isMultiple
        choices={choicesOf(facets.sourceToCorrect, filter.sourceToCorrect)}
        chosen={filter.sourceToCorrect}
        onChoose={(chosen) => void setParams({ sourceToCorrect: chosen.filter(isSource) })}
      />
    </>
  )
}

export const FindingTools = ({
  facets,
  filter,
  onExport,
  menu,
}: {
  facets: Facets
  filter: FindingFilter
  onExport: () => void
  menu: ReactNode
}) => {
  const [{ q }, setParams] = useQueryStates(findingSearchParams)
  return (
    <Toolbar>
      <FilterInput
        className="sm:w-[180px]"
        label="Filter by word, host, address"
        placeholder="Word, host or address"
        value={q}
        onChange={(q) => void setParams({ q })}
      />
      <Toggles facets={facets} filter={filter} />
      <Chips facets={facets} filter={filter} />
      {isNarrowed(filter) || filter.state.length > 0 ? (
        <ClearButton onClear={() => void setParams(NO_FILTER)} />
      ) : null}
      <CsvButton label="CSV of the findings shown" onDownload={onExport}>
        {menu}
      </CsvButton>
    </Toolbar>
  )
}
