import {
  infiniteQueryOptions,
  keepPreviousData,
  mutationOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import type { LimitTrial } from '@/lib/schemas/api/limit-trial'
import type { QuotaList, QuotaSort, QuotaState } from '@/lib/schemas/api/quota'
import type { DriverAnswer, QuotaDriverStatus } from '@/lib/schemas/api/quota-driver'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNothing } from './client'
import { pagedList } from './paged-list'

type Scope = { cloud: string | null }
type SetUpScope = Scope & { user: string | null; domain: string | null; flavor: string | null; q: string }

const quotaKeys = {
  all: ['quotas'] as const,
  setUp: (scope: SetUpScope) => ['quotas', 'setUp', scope] as const,
  driver: (scope: Scope) => ['quotas', 'driver', scope] as const,
  projects: (scope: Scope & { projects: string; classes: string }) => ['quotas', 'projects', scope] as const,
}

/** What the list is narrowed to and sorted by. */
export type QuotaQuestion = Scope & {
  q: string
  classes: string
  gpu: 'true' | 'false'
  inUse: 'true' | 'false'
  state: QuotaState | null
  sort: QuotaSort
  desc: 'true' | 'false'
}

/** Limits and use of projects. Each answer asks Placement for every project, so the list is requested less often than others. */
export const quotaPages = pagedList<QuotaQuestion, QuotaList>({
  key: [...quotaKeys.all, 'pages'],
  path: apiPaths.quotas,
  pace: ([first]) =>
    first?.isRead === true && first.uncountedProjects === 0
      ? { fastMs: 30_000, slowMs: 60_000 }
      : { fastMs: 5000, slowMs: 10_000 },
})

/** The rows of chosen projects. */
export const projectQuotaOptions = (scope: Scope & { projects: string; classes: string }) =>
  queryOptions({
    queryKey: quotaKeys.projects(scope),
    queryFn: ({ signal }) =>
      requestJson<QuotaList>({ path: apiPaths.quotas({ ...scope, limit: '1000' }), signal }),
    refetchInterval: 60_000,
  })

/**
 * The setup with its projects page by page. Each answer asks Nova and Keystone, too; it is worked with, so it does not move under
 * the hand once it is there.
 */
export const limitSetUpOptions = (scope: SetUpScope) =>
  infiniteQueryOptions({
    queryKey: quotaKeys.setUp(scope),
    queryFn: ({ pageParam, signal }) =>
      requestJson<LimitSetUp>({
        path: apiPaths.limitSetUp({ ...scope, limit: '50', cursor: pageParam }),
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: LimitSetUp) => next,
    staleTime: 30_000,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ because, counts }) => because !== null || counts.reading > 0) === true
        ? 5000
        : false,
    placeholderData: keepPreviousData,
  })

export const quotaDriverOptions = (scope: Scope) =>
  queryOptions({
    queryKey: quotaKeys.driver(scope),
    queryFn: ({ signal }) => requestJson<QuotaDriverStatus>({ path: apiPaths.quotaDriver(scope), signal }),
    refetchInterval: 30_000,
  })

/** Refreshes the facts of the setup and the quotas; the filled-in form is the page's own and stays. */
const answered = (client: QueryClient) => client.invalidateQueries({ queryKey: quotaKeys.all })

export const setDriverOptions = (scope: Scope) =>
  mutationOptions({
    mutationKey: ['quotas', 'tellDriver'],
    mutationFn: (body: { driver: DriverAnswer['driver'] }) =>
      requestNothing({ path: apiPaths.quotaDriver(scope), method: 'PUT', body }),
    onSuccess: (_nothing, _body, _result, { client }) => answered(client),
  })

export const withdrawDriverOptions = (scope: Scope) =>
  mutationOptions({
    mutationKey: ['quotas', 'withdrawDriver'],
    mutationFn: () => requestNothing({ path: apiPaths.quotaDriver(scope), method: 'DELETE' }),
    onSuccess: (_nothing, _body, _result, { client }) => answered(client),
  })

/** Requests a server that Nova has to refuse. */
export const tryLimitOptions = (scope: Scope) =>
  mutationOptions({
    mutationKey: ['quotas', 'tryLimit'],
    mutationFn: (body: { flavorId: string; imageId: string }) =>
      requestJson<LimitTrial>({ path: apiPaths.limitTrials(scope), method: 'POST', body }),
  })
