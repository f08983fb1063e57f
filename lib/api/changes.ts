import { infiniteQueryOptions, keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { ChangeDetail, ChangePlan, ChangeProgress } from '@/lib/schemas/api/change'
import type {
  ActOnChange,
  ApproveChange,
  ChangeTermsInput,
  PlanChange,
  SkipStep,
} from '@/lib/schemas/api/change-inputs'
import type { ChangeSteps } from '@/lib/schemas/api/change-steps'
import type { TestChoices } from '@/lib/schemas/api/test-choices'
import { apiPaths } from '@/lib/util/paths'
import { changeKeys } from './change-keys'
import { changePace } from './change-list'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

/** The plan of a saved change does not change, so it is requested once. */
export const changeDetailOptions = ({ id }: { id: number }) =>
  queryOptions({
    queryKey: changeKeys.detail({ id }),
    queryFn: async ({ client, queryKey, signal }) => {
      const known = client.getQueryData<ChangeDetail>(queryKey)
      if (known === undefined) return requestJson<ChangeDetail>({ path: apiPaths.change({ id }), signal })
      const progress = await requestJson<ChangeProgress>({
        path: apiPaths.changeProgress({ id }),
        signal,
      })
      return { ...known, ...progress }
    },
    refetchInterval: pollWhileMoving(({ state }: ChangeDetail) => changePace([state])),
  })

/** Steps on a host in a phase page by page; null: those on no host. Requested again when one of the host has changed. */
export const changeStepsOptions = (question: {
  id: number
  host: string | null
  phase: string
  changedAt: string | null
}) =>
  infiniteQueryOptions({
    queryKey: changeKeys.steps(question),
    queryFn: ({ pageParam, signal }) =>
      requestJson<ChangeSteps>({
        path: apiPaths.changeSteps({
          id: question.id,
          host: question.host ?? '',
          phase: question.phase,
          limit: '50',
          cursor: pageParam,
        }),
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ChangeSteps) => next,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const testChoicesOptions = (scope: Scope) =>
  queryOptions({
    queryKey: changeKeys.testChoices(scope),
    queryFn: ({ signal }) => requestJson<TestChoices>({ path: apiPaths.testChoices(scope), signal }),
    staleTime: 60_000,
  })

/** A plan is read, not created: it is requested with POST because the chosen pGPUs do not fit into a URL. */
export const changePlanOptions = (input: PlanChange) =>
  queryOptions({
    queryKey: changeKeys.plan(input),
    queryFn: ({ signal }) =>
      requestJson<ChangePlan>({
        path: apiPaths.changePreview(),
        method: 'POST',
        body: input,
        signal,
      }),
    retry: false,
  })

const createChange = (body: PlanChange) =>
  requestJson<ChangeDetail>({ path: apiPaths.changes(), method: 'POST', body })

const actOnChange = ({ id, ...body }: ActOnChange & { id: number }) =>
  requestJson<ChangeDetail>({ path: apiPaths.changeActions({ id }), method: 'POST', body })

export const createChangeOptions = () =>
  mutationOptions({
    mutationKey: ['changes', 'create'],
    mutationFn: createChange,
    onSuccess: (_change, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: changeKeys.all }),
  })

/** Saves a plan and starts it. A plan that cannot be started stays saved, with the reason. */
export const createAndStartChangeOptions = () =>
  mutationOptions({
    mutationKey: ['changes', 'create-and-start'],
    mutationFn: async (body: PlanChange) => {
      const { id, version } = await createChange(body)
      try {
        await actOnChange({ id, action: 'start', version, isByHand: false })
        return { id, startError: null }
      } catch (err) {
        return { id, startError: err instanceof Error ? err.message : String(err) }
      }
    },
    onSuccess: (_change, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: changeKeys.all }),
  })

export const actOnChangeOptions = ({ id }: { id: number }) =>
  mutationOptions({
    mutationKey: ['changes', 'act', { id }],
    mutationFn: (body: ActOnChange) => actOnChange({ id, ...body }),
    onSettled: (_change, _error, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: changeKeys.all }),
  })

export const setTermsOptions = ({ id }: { id: number }) =>
  mutationOptions({
    mutationKey: ['changes', 'terms', { id }],
    mutationFn: (body: ChangeTermsInput) =>
      requestJson<ChangeDetail>({ path: apiPaths.changeTerms({ id }), method: 'PUT', body }),
    onSettled: (_change, _error, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: changeKeys.all }),
  })

export const approveChangeOptions = ({ id }: { id: number }) =>
  mutationOptions({
    mutationKey: ['changes', 'approve', { id }],
    mutationFn: (body: ApproveChange) =>
      requestJson<ChangeDetail>({
        path: apiPaths.changeApproval({ id }),
        method: 'POST',
        body,
      }),
    onSettled: (_change, _error, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: changeKeys.all }),
  })

export const skipStepOptions = ({ id, position }: { id: number; position: number }) =>
  mutationOptions({
    mutationKey: ['changes', 'skip', { id, position }],
    mutationFn: (body: SkipStep) =>
      requestJson<ChangeDetail>({
        path: apiPaths.changeStepSkip({ id, position }),
        method: 'POST',
        body,
      }),
    onSettled: (_change, _error, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: changeKeys.all }),
  })
