'use client'

import { useState } from 'react'
import { NotReadYet } from '@/components/cloud/not-read-yet'
import { LoadProblem, QueryProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { SkeletonRows } from '@/components/ui/skeleton'
import { ApiError } from '@/lib/api/client'
import { MAX_SCENARIO_STEPS } from '@/lib/schemas/api/change-limits'
import type { ScenarioResult } from '@/lib/schemas/api/scenario-result'
import { ScenarioActions } from './scenario-actions'
import { SideMark } from './side-mark'
import { StepForm } from './step-form'
import { StepList } from './step-list'
import type { OpenScenario } from './use-scenario'

const Saved = ({ scenario: { saved, isChanged } }: { scenario: OpenScenario }) => {
  if (saved === null) return <span className="text-ink3 text-small">not saved</span>
  return (
    <span className="text-ink3 text-small">
      saved by {saved.savedBy.replace(/^user:/, '')}, <Moment at={saved.savedAt} />
      {isChanged ? <span className="text-warn"> · unsaved changes</span> : null}
    </span>
  )
}

const AddStep = ({ scenario, choices }: { scenario: OpenScenario; choices: ScenarioResult['choices'] }) => {
  const { steps, setSteps } = scenario
  const [isOpen, setIsOpen] = useState(false)
  if (steps.length >= MAX_SCENARIO_STEPS)
    return (
      <p className="text-ink2">
        A scenario can have up to {MAX_SCENARIO_STEPS} steps. Remove a step to add another.
      </p>
    )
  if (!isOpen) return <Button onClick={() => setIsOpen(true)}>Add step</Button>
  return (
    <StepForm
      choices={choices}
      onStep={(step) => {
        setSteps([...steps, step])
        setIsOpen(false)
      }}
      onCancel={() => setIsOpen(false)}
    />
  )
}

const Steps = ({ scenario }: { scenario: OpenScenario }) => {
  const { cloud } = useCloud()
  const { result, savedQuery, steps, setSteps } = scenario
  const { data, error } = result
  const isNotReadYet = data === undefined && error instanceof ApiError && error.code === 'precondition'
  if (isNotReadYet) return <NotReadYet source="Scenarios use data from Placement and Nova." />
  return (
    <>
      <LoadProblem query={savedQuery} what="The scenario" />
      <QueryProblem
        query={result}
        title="The scenario could not be calculated"
        titleOfOld="The scenario could not be calculated"
      />
      {data === undefined ? (
        error === null && savedQuery.error === null ? (
          <SkeletonRows rows={3} label="Loading the scenario" />
        ) : null
      ) : (
        <>
          {steps.length === 0 ? (
            <p className="mb-2 text-ink2">No steps yet. Add a step to see its effect.</p>
          ) : (
            <StepList
              steps={steps}
              result={data}
              isCounted={!result.isPlaceholderData}
              cloud={cloud}
              onSteps={setSteps}
            />
          )}
          <AddStep scenario={scenario} choices={data.choices} />
        </>
      )}
    </>
  )
}

/** One of the compared scenarios with its steps. */
export const ScenarioPanel = ({ scenario }: { scenario: OpenScenario }) => {
  const { side, label } = scenario
  return (
    <section
      aria-label={`Scenario ${side.toUpperCase()}: ${label}`}
      className="min-w-0 rounded-panel border border-line bg-panel px-3.5 py-3"
    >
      <div className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <SideMark side={side} />
        <h2 className="m-0 min-w-0 break-words font-semibold text-body">{label}</h2>
        <Saved scenario={scenario} />
        <div className="ml-auto">
          <ScenarioActions key={scenario.saved?.id ?? 'new'} scenario={scenario} />
        </div>
      </div>
      <Steps scenario={scenario} />
    </section>
  )
}
