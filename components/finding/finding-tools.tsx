'use client'

import { useQueryStates } from 'nuqs'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { CsvButton } from '@/components/ui/csv-button'
import { FilterChip, FilterInput, Toolbar } from '@/components/ui/toolbar'
import type { FindingList } from '@/lib/schemas/api/finding'
import { FINDING_STATES } from '@/lib/schemas/api/finding'
import { SEVERITIES } from '@/lib/schemas/severity'
import { chosenStates, countFacet, type FindingFilter, isNarrowed } from './filter-findings'
import { findingSearchParams, NO_FILTER } from './finding-search-params'
import { SEVERITY_WORDS, SOURCE_TO_CORRECT_LABELS, SOURCES, type Source, STATE_WORDS } from './finding-words'

/** A menu of more hosts would not be read; the text finds every one. */
const MOST_HOSTS = 200

const toggled = <Value extends string>(chosen: readonly Value[], value: Value): Value[] =>
  chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]

const Toggles = ({ findings, filter }: { findings: FindingList['findings']; filter: FindingFilter }) => {
  const [, setParams] = useQueryStates(findingSearchParams)
  const bySeverity = countFacet(findings, filter, 'severity')
  const byState = countFacet(findings, filter, 'state')
  const states = chosenStates(filter)
  return (
    <>
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">State</legend>
        {FINDING_STATES.map((state) => (
          <FilterChip
            key={state}
            isOn={states.includes(state)}
            word={STATE_WORDS[state]}
            count={byState.get(state) ?? 0}
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
            word={SEVERITY_WORDS[severity]}
            count={bySeverity.get(severity) ?? 0}
            onToggle={() => void setParams({ severity: toggled(filter.severity, severity) })}
          />
        ))}
      </fieldset>
    </>
  )
}

/** Values with findings and those chosen, with the words of each. */
const choicesOf = (
  counts: ReadonlyMap<string, number>,
  chosen: readonly string[],
  words: (value: string) => string,
) =>
  [...new Set([...counts.keys(), ...chosen])]
    .map((value) => ({ value, label: words(value), count: counts.get(value) ?? 0 }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }))

const Chips = ({ findings, filter }: { findings: FindingList['findings']; filter: FindingFilter }) => {
  const [, setParams] = useQueryStates(findingSearchParams)
  const titles = new Map(findings.map(({ code, title }) => [code, title]))
  // A link may name a code without findings.
  const titleOf = (code: string): string => titles.get(code) ?? code.replaceAll('-', ' ')
  const isSource = (value: string): value is Source => SOURCES.some((source) => source === value)
  return (
    <>
      <ChoiceChip
        label="Kind"
        isMultiple
        choices={choicesOf(countFacet(findings, filter, 'code'), filter.code, titleOf)}
        chosen={filter.code}
        onChoose={(chosen) => void setParams({ code: chosen })}
      />
      <ChoiceChip
        label="Host"
        isMultiple
        choices={choicesOf(countFacet(findings, filter, 'host'), filter.host, (host) => host).slice(
          0,
          MOST_HOSTS,
        )}
        chosen={filter.host}
        onChoose={(chosen) => void setParams({ host: chosen })}
      />
      <ChoiceChip
        label="Source to correct"
        isMultiple
        choices={choicesOf(countFacet(findings, filter, 'blame'), filter.blame, (value) =>
          isSource(value) ? SOURCE_TO_CORRECT_LABELS[value] : value,
        )}
        chosen={filter.blame}
        onChoose={(chosen) => void setParams({ blame: chosen.filter(isSource) })}
      />
    </>
  )
}

export const FindingTools = ({
  findings,
  filter,
  onExport,
}: {
  findings: FindingList['findings']
  filter: FindingFilter
  onExport: () => void
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
      <Toggles findings={findings} filter={filter} />
      <Chips findings={findings} filter={filter} />
      {isNarrowed(filter) || filter.state.length > 0 ? (
        <ClearButton onClear={() => void setParams(NO_FILTER)} />
      ) : null}
      <CsvButton label="CSV of the findings shown" onDownload={onExport} />
    </Toolbar>
  )
}
