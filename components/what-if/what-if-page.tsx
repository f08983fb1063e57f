'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsString, useQueryState } from 'nuqs'
import { NotReadYet } from '@/components/cloud/not-read-yet'
import { QueryProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { SkeletonRows } from '@/components/ui/skeleton'
import { ApiError } from '@/lib/api/client'
import { whatIfOptions } from '@/lib/api/what-if'
import { MAX_WHAT_IF_STEPS } from '@/lib/schemas/api/change-limits'
import type { WhatIfStepInput } from '@/lib/schemas/api/what-if-inputs'
import { capacityPath } from '@/lib/util/paths'
import { AggregatesBeforeAfter, FlavorsBeforeAfter, TypesBeforeAfter } from './before-after'
import { StepForm } from './step-form'
import { TriedSteps } from './tried-steps'

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every(isText)
const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0

const readStep = (value: unknown): WhatIfStepInput[] => {
  if (typeof value !== 'object' || value === null) return []
  const { do: what, count, from, to, like, hosts } = value as Record<string, unknown>
  if (what === 'type' && isCount(count) && isText(from) && isText(to)) return [{ do: what, count, from, to }]
  if (what === 'add' && isCount(count) && isText(like)) return [{ do: what, count, like }]
  if (what === 'remove' && isTexts(hosts)) return [{ do: what, hosts }]
  if (what === 'move' && isTexts(hosts) && isText(from) && isText(to)) return [{ do: what, hosts, from, to }]
  return []
}

/** The steps of the page's address, as `writeSteps` leaves them; what is none is left out. */
export const readSteps = (text: string): WhatIfStepInput[] => {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.flatMap(readStep) : []
  } catch (error) {
    // The address was edited manually or truncated.
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** Null: there are none, and the address needs no parameter. */
export const writeSteps = (steps: readonly WhatIfStepInput[]): string | null =>
  steps.length === 0 ? null : JSON.stringify(steps)

/** Changes of types, hosts and aggregates, tried before they are planned. The address holds them, so they can be sent on. */
export const WhatIfPage = () => {
  const { cloud } = useCloud()
  const [text, setText] = useQueryState('steps', parseAsString.withDefault(''))
  const steps = readSteps(text)
  const query = useQuery(whatIfOptions({ cloud, steps }))
  const { data, error } = query
  const isNotReadYet = data === undefined && error instanceof ApiError && error.code === 'precondition'
  return (
    <>
      <PageHeader
        title="Scenario planner"
        sub="Scenarios do not change the cloud"
        actions={
          <Link className={buttonStyle()} href={capacityPath({ cloud })}>
            Capacity
          </Link>
        }
      />
      {isNotReadYet ? (
        <NotReadYet source="Scenarios use data from Placement and Nova." />
      ) : (
        <QueryProblem
          query={query}
          title="Scenarios are not available"
          titleOfOld="The scenario could not be calculated"
        />
      )}
      {data === undefined ? (
        error === null ? (
          <SkeletonRows rows={8} label="Loading the current state" />
        ) : null
      ) : (
        <div className="flex flex-col gap-3">
          {steps.length < MAX_WHAT_IF_STEPS ? (
            <StepForm choices={data.choices} onStep={(step) => void setText(writeSteps([...steps, step]))} />
          ) : (
            <p className="text-ink2">
              A scenario can have up to {MAX_WHAT_IF_STEPS} steps. Remove a step to add another.
            </p>
          )}
          {steps.length === 0 ? (
            <p className="text-ink2">
              The current state is shown. Add a step to see its effect on each number.
            </p>
          ) : (
            <TriedSteps
              steps={steps}
              data={data}
              isCounted={!query.isPlaceholderData}
              cloud={cloud}
              onRemove={(index) => void setText(writeSteps(steps.filter((_, at) => at !== index)))}
            />
          )}
          <TypesBeforeAfter types={data.types} today={data.today} />
          <div className="grid grid-cols-2 items-start gap-3 max-lg:grid-cols-1">
            <FlavorsBeforeAfter data={data} isTried={steps.length > 0} />
            <AggregatesBeforeAfter {...data} />
          </div>
        </div>
      )}
    </>
  )
}
