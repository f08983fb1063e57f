import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { CreateApiToken } from '@/lib/schemas/api/api-token-inputs'
import type { ApiTokenList, CreatedApiToken } from '@/lib/schemas/api/api-tokens'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNothing } from './client'

const apiTokenKeys = { all: ['apiTokens'] as const }

export const apiTokenListOptions = () =>
  queryOptions({
    queryKey: apiTokenKeys.all,
    queryFn: ({ signal }) => requestJson<ApiTokenList>({ path: apiPaths.apiTokens(), signal }),
  })

export const createApiTokenOptions = () =>
  mutationOptions({
    mutationKey: ['apiTokens', 'create'],
    mutationFn: (body: CreateApiToken) =>
      requestJson<CreatedApiToken>({ path: apiPaths.apiTokens(), method: 'POST', body }),
    onSuccess: (_created, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: apiTokenKeys.all }),
  })

export const revokeApiTokenOptions = () =>
  mutationOptions({
    mutationKey: ['apiTokens', 'revoke'],
    mutationFn: ({ id }: { id: number }) =>
      requestNothing({ path: apiPaths.apiToken({ id }), method: 'DELETE' }),
    onSuccess: (_nothing, _token, _result, { client }) =>
      client.invalidateQueries({ queryKey: apiTokenKeys.all }),
  })
