import { keepPreviousData, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ScenarioDto, ScenarioList } from '@/lib/schemas/api/scenario'
import type { CreateScenario, SaveScenario, ScenarioInput } from '@/lib/schemas/api/scenario-inputs'
import type { ScenarioResult } from '@/lib/schemas/api/scenario-result'
import { planningApiPaths } from '@/lib/util/planning-paths'
import { requestJson, requestNothing } from './client'

type Scope = { cloud: string | null }
type Id = { id: number }

const scenarioKeys = {
  all: ['scenarios'] as const,
  lists: ['scenarios', 'list'] as const,
  list: ({ cloud }: Scope) => ['scenarios', 'list', { cloud }] as const,
  one: ({ id }: Id) => ['scenarios', 'one', { id }] as const,
}

/** What steps would make of the fleet; nothing is written. */
export const scenarioResultOptions = (input: ScenarioInput) =>
  queryOptions({
    queryKey: ['scenarioResult', input] as const,
    queryFn: ({ signal }) =>
      requestJson<ScenarioResult>({
        path: planningApiPaths.scenarioResults(),
        method: 'POST',
        body: input,
        signal,
      }),
    // Before the first round has ended nothing can be tried, and soon it can.
    refetchInterval: ({ state }) => (state.error === null ? 60_000 : 10_000),
    placeholderData: keepPreviousData,
  })

export const scenarioListOptions = ({ cloud }: Scope) =>
  queryOptions({
    queryKey: scenarioKeys.list({ cloud }),
    queryFn: ({ signal }) =>
      requestJson<ScenarioList>({ path: planningApiPaths.scenarios({ cloud }), signal }),
    refetchInterval: 30_000,
  })

/** Not refreshed on its own: a save of another person is shown when one saves, or reloads. */
export const scenarioOptions = ({ id }: Id) =>
  queryOptions({
    queryKey: scenarioKeys.one({ id }),
    queryFn: ({ signal }) => requestJson<ScenarioDto>({ path: planningApiPaths.scenario({ id }), signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

const changed = (client: QueryClient, scenario: ScenarioDto) => {
  client.setQueryData(scenarioKeys.one({ id: scenario.id }), scenario)
  return client.invalidateQueries({ queryKey: scenarioKeys.lists })
}

export const createScenarioOptions = () =>
  mutationOptions({
    mutationKey: ['scenarios', 'create'],
    mutationFn: (body: CreateScenario) =>
      requestJson<ScenarioDto>({ path: planningApiPaths.scenarios(), method: 'POST', body }),
    onSuccess: (scenario, _body, _result, { client }) => changed(client, scenario),
  })

export const saveScenarioOptions = () =>
  mutationOptions({
    mutationKey: ['scenarios', 'save'],
    mutationFn: ({ id, ...body }: SaveScenario & Id) =>
      requestJson<ScenarioDto>({ path: planningApiPaths.scenario({ id }), method: 'PUT', body }),
    onSuccess: (scenario, _body, _result, { client }) => changed(client, scenario),
  })

export const deleteScenarioOptions = () =>
  mutationOptions({
    mutationKey: ['scenarios', 'delete'],
    mutationFn: ({ id }: Id) => requestNothing({ path: planningApiPaths.scenario({ id }), method: 'DELETE' }),
    onSuccess: (_nothing, { id }, _result, { client }) => {
      client.removeQueries({ queryKey: scenarioKeys.one({ id }) })
      return client.invalidateQueries({ queryKey: scenarioKeys.all })
    },
  })
