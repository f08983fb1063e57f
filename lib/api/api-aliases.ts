import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ApiAliasList } from '@/lib/schemas/api/api-alias'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNothing } from './client'

type Scope = { cloud: string | null }

const apiAliasKeys = {
  all: ['apiAliases'] as const,
  ofCloud: (scope: Scope) => ['apiAliases', scope] as const,
}

export const apiAliasOptions = (scope: Scope) =>
  queryOptions({
    queryKey: apiAliasKeys.ofCloud(scope),
    queryFn: ({ signal }) => requestJson<ApiAliasList>({ path: apiPaths.apiAliases(scope), signal }),
    refetchInterval: 30_000,
  })

/** Pages of hosts show the same aliases. */
const refresh = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: apiAliasKeys.all }),
    client.invalidateQueries({ queryKey: ['hosts'] }),
  ])

export const setAliasesOptions = (scope: Scope) =>
  mutationOptions({
    mutationKey: ['apiAliases', 'tell'],
    mutationFn: (body: { text: string }) =>
      requestNothing({ path: apiPaths.apiAliases(scope), method: 'PUT', body }),
    onSuccess: (_nothing, _body, _result, { client }) => refresh(client),
  })

export const forgetAliasesOptions = (scope: Scope) =>
  mutationOptions({
    mutationKey: ['apiAliases', 'forget'],
    mutationFn: () => requestNothing({ path: apiPaths.apiAliases(scope), method: 'DELETE' }),
    onSuccess: (_nothing, _body, _result, { client }) => refresh(client),
  })
