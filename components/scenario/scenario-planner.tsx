'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { useId } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { Select } from '@/components/ui/input'
import { FilterChip, Toolbar } from '@/components/ui/toolbar'
import { scenarioListOptions } from '@/lib/api/scenarios'
import type { ScenarioSummary } from '@/lib/schemas/api/scenario'
import { formatCount } from '@/lib/util/format'
import { scenariosPath } from '@/lib/util/planning-paths'
import { EffortTable } from './effort-table'
import { AggregatesTable, FlavorsTable, type SolvedScenario, TypesTable } from './result-tables'
import { ScenarioPanel } from './scenario-panel'
import { NEW_SCENARIO, scenarioSearchParams } from './scenario-search-params'
import { SideMark } from './side-mark'
import { type OpenScenario, type Side, useScenario } from './use-scenario'

const Picker = ({
  side,
  value,
  scenarios,
  onPick,
}: {
  side: Side
  value: string | null
  scenarios: readonly ScenarioSummary[]
  onPick: (value: string | null) => void
}) => {
  const id = useId()
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <label htmlFor={id}>
        <SideMark side={side} />
        <span className="sr-only">Scenario</span>
      </label>
      <Select
        id={id}
        className="max-w-[220px]"
        value={value ?? ''}
        onChange={(event) => onPick(event.target.value || null)}
      >
        {side === 'b' ? <option value="">Compare with</option> : null}
        <option value={NEW_SCENARIO}>New scenario</option>
        {scenarios.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </Select>
    </span>
  )
}

const PlannerTools = () => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(scenarioSearchParams, { history: 'push' })
  const { data } = useQuery(scenarioListOptions({ cloud }))
  const scenarios = data?.scenarios ?? []
  return (
    <Toolbar>
      <span className="text-ink2 text-small">Compare the current state with</span>
      <Picker
        side="a"
        value={params.a}
        scenarios={scenarios}
        onPick={(a) => void setParams({ a, steps: null })}
      />
      <Picker
        side="b"
        value={params.b}
        scenarios={scenarios}
        onPick={(b) => void setParams({ b, stepsB: null })}
      />
      <span className="flex-1" />
      <FilterChip
        isOn={params.all}
        word="Rows without a difference"
        onToggle={() => void setParams({ all: params.all ? null : true })}
      />
      <Link className={buttonStyle()} href={scenariosPath({ cloud })}>
        All scenarios <span className="text-ink3 tabular-nums">{formatCount(scenarios.length)}</span>
      </Link>
    </Toolbar>
  )
}

const solvedOf = (scenario: OpenScenario | null): SolvedScenario[] =>
  scenario?.result.data === undefined ? [] : [{ scenario, result: scenario.result.data }]

/** The current state, one scenario or two, side by side. */
export const ScenarioPlanner = () => {
  const [{ all }] = useQueryStates(scenarioSearchParams)
  const a = useScenario('a')
  const b = useScenario('b')
  const solved = [...solvedOf(a), ...solvedOf(b)]
  return (
    <>
      <PlannerTools />
      <div className="flex flex-col gap-3">
        <div className={b === null ? '' : 'grid grid-cols-2 items-start gap-3 max-xl:grid-cols-1'}>
          {a === null ? null : <ScenarioPanel scenario={a} />}
          {b === null ? null : <ScenarioPanel scenario={b} />}
        </div>
        {solved.length === 0 ? null : (
          <>
            <TypesTable solved={solved} isWhole={all} />
            <div className="grid grid-cols-2 items-start gap-3 max-xl:grid-cols-1">
              <FlavorsTable solved={solved} isWhole={all} />
              <EffortTable solved={solved} />
            </div>
            <AggregatesTable solved={solved} isWhole={all} />
          </>
        )}
      </div>
    </>
  )
}
