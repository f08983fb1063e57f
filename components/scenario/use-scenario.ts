'use client'

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { useCloud } from '@/components/shell/use-cloud'
import { scenarioOptions, scenarioResultOptions } from '@/lib/api/scenarios'
import { inDateOrder } from '@/lib/domain/scenario/in-date-order'
import type { ScenarioDto } from '@/lib/schemas/api/scenario'
import type { ScenarioStepDto } from '@/lib/schemas/api/scenario-inputs'
import type { ScenarioResult } from '@/lib/schemas/api/scenario-result'
import { NEW_SCENARIO, scenarioSearchParams } from './scenario-search-params'
import { readSteps, writeSteps } from './steps-text'

export type Side = 'a' | 'b'

const DRAFT = { a: 'steps', b: 'stepsB' } as const

/** One of the two scenarios that the page compares. */
export type OpenScenario = {
  side: Side
  label: string
  /** Null: it is not saved yet, or is loading. */
  saved: ScenarioDto | null
  savedQuery: UseQueryResult<ScenarioDto>
  result: UseQueryResult<ScenarioResult>
  steps: readonly ScenarioStepDto[]
  /** The steps differ from the saved ones. */
  isChanged: boolean
  setSteps: (steps: readonly ScenarioStepDto[]) => void
  discard: () => void
}

/** The scenario of a side; null: none is chosen. */
export const useScenario = (side: Side): OpenScenario | null => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(scenarioSearchParams)
  const chosen = params[side]
  const draft = params[DRAFT[side]]
  const id = chosen === null || !/^\d{1,9}$/.test(chosen) ? null : Number(chosen)
  const savedQuery = useQuery({ ...scenarioOptions({ id: id ?? 0 }), enabled: id !== null })
  const saved = savedQuery.data ?? null
  const steps = draft === null ? (saved?.steps ?? []) : readSteps(draft)
  const isReady = chosen === NEW_SCENARIO || saved !== null
  const result = useQuery({
    ...scenarioResultOptions({ cloud, steps }),
    enabled: chosen !== null && isReady,
  })
  if (chosen === null) return null
  const setDraft = (text: string | null) => void setParams({ [DRAFT[side]]: text })
  return {
    side,
    label: saved?.name ?? (id === null ? 'New scenario' : 'Scenario'),
    saved,
    savedQuery,
    result,
    steps,
    isChanged: draft !== null,
    setSteps: (next) => setDraft(writeSteps(inDateOrder(next), saved?.steps ?? [])),
    discard: () => setDraft(null),
  }
}
