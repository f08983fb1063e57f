'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { DataTable } from '@/components/table/data-table'
import { buttonStyle } from '@/components/ui/button'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { scenarioListOptions } from '@/lib/api/scenarios'
import { scenariosPath } from '@/lib/util/planning-paths'
import { SCENARIO_COLUMNS } from './scenario-columns'
import { ScenarioPlanner } from './scenario-planner'
import { NEW_SCENARIO, scenarioSearchParams } from './scenario-search-params'

const AllScenarios = () => {
  const { cloud } = useCloud()
  const list = useQuery(scenarioListOptions({ cloud }))
  const { data } = list
  return (
    <>
      <LoadProblem query={list} what="The scenarios" />
      {list.isPending ? <SkeletonRows rows={6} label="Loading scenarios" /> : null}
      {data === undefined ? null : data.scenarios.length === 0 ? (
        <EmptyState title="No scenarios yet">
          A scenario shows the effect of new hosts, other vGPU types or removed hosts on capacity, flavors and
          forecasts. Select “New scenario” to try steps; save them to share the scenario.
        </EmptyState>
      ) : (
        <DataTable
          label="Scenarios"
          columns={SCENARIO_COLUMNS}
          rows={data.scenarios}
          rowKey={({ id }) => id}
          context={{ cloud }}
        />
      )}
    </>
  )
}

/** Planning → Scenarios: the saved scenarios, or one or two of them compared with the current state. */
export const ScenariosPage = () => {
  const { cloud } = useCloud()
  const [{ a }] = useQueryStates(scenarioSearchParams)
  return (
    <>
      <PageHeader
        title="Scenario planner"
        sub="Scenarios do not change the cloud"
        actions={
          <Link
            className={buttonStyle({ variant: a === null ? 'main' : 'plain' })}
            href={scenariosPath({ cloud, search: { a: NEW_SCENARIO } })}
          >
            New scenario
          </Link>
        }
      />
      {a === null ? <AllScenarios /> : <ScenarioPlanner />}
    </>
  )
}
