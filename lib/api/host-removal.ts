import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { HostMergePreview, RemovalSuggestions, RemovedHostList } from '@/lib/schemas/api/host-removal'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNothing } from './client'

type Scope = { cloud: string | null }

const removalKeys = {
  removed: ({ cloud }: Scope) => ['removed-hosts', { cloud }] as const,
  suggestions: ({ cloud }: Scope) => ['removal-suggestions', { cloud }] as const,
  merge: ({ cloud, host, from }: Scope & { host: string; from: string }) =>
    ['host-merge', { cloud, host, from }] as const,
}

export const removedHostsOptions = (scope: Scope) =>
  queryOptions({
    queryKey: removalKeys.removed(scope),
    queryFn: ({ signal }) => requestJson<RemovedHostList>({ path: apiPaths.removedHosts(scope), signal }),
  })

const SUGGESTIONS_EVERY_MS = 60_000

export const removalSuggestionsOptions = (scope: Scope) =>
  queryOptions({
    queryKey: removalKeys.suggestions(scope),
    queryFn: ({ signal }) =>
      requestJson<RemovalSuggestions>({ path: apiPaths.removalSuggestions(scope), signal }),
    staleTime: SUGGESTIONS_EVERY_MS,
    refetchInterval: SUGGESTIONS_EVERY_MS,
  })

export const mergePreviewOptions = (scope: Scope & { host: string; from: string }) =>
  queryOptions({
    queryKey: removalKeys.merge(scope),
    queryFn: ({ signal }) => requestJson<HostMergePreview>({ path: apiPaths.hostMerge(scope), signal }),
    retry: false,
  })

/**
 * Lists, totals, findings and charts are about other hosts now. What is about the removed hosts themselves is not fetched again:
 * it does not exist any more. Not awaited, so that the page can leave a removed host at once.
 */
const refetchFleet = (client: QueryClient, removed: readonly string[] = []): void => {
  const isOfRemoved = (key: readonly unknown[]): boolean =>
    removed.some((host) => JSON.stringify(key).includes(`"${host}"`))
  void client.invalidateQueries({ predicate: ({ queryKey }) => !isOfRemoved(queryKey) })
}

export const removeHostsOptions = ({ cloud }: Scope) =>
  mutationOptions({
    mutationKey: ['hosts', 'remove'],
    mutationFn: (body: { hosts: readonly string[]; reason: string; force: boolean }) =>
      requestJson<RemovedHostList>({
        path: apiPaths.removedHosts({ cloud }),
        method: 'POST',
        body,
      }),
    onSuccess: (_answer, { hosts }, _result, { client }) => refetchFleet(client, hosts),
  })

export const restoreHostOptions = () =>
  mutationOptions({
    mutationKey: ['hosts', 'restore'],
    mutationFn: ({ id, reason }: { id: number; reason: string }) =>
      requestNothing({ path: apiPaths.restoreHost({ id }), method: 'POST', body: { reason } }),
    onSuccess: (_answer, _body, _result, { client }) => refetchFleet(client),
  })

export const mergeHostOptions = ({ cloud, host }: Scope & { host: string }) =>
  mutationOptions({
    mutationKey: ['hosts', 'merge'],
    mutationFn: (body: { from: string; reason: string }) =>
      requestJson<HostMergePreview>({
        path: apiPaths.hostMerge({ cloud, host }),
        method: 'POST',
        body,
      }),
    onSuccess: (_answer, { from }, _result, { client }) => refetchFleet(client, [from]),
  })
