import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { requestDetailSchema, requestListSchema } from '@/lib/schemas/api/quota-request'
import type { DecideRequest } from '@/lib/schemas/api/quota-request-inputs'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

const quotaRequestKeys = {
  all: ['quotaRequests'] as const,
  list: ({ cloud }: Scope) => ['quotaRequests', 'list', { cloud }] as const,
  detail: ({ id }: { id: number }) => ['quotaRequests', 'detail', { id }] as const,
}

export const quotaRequestListOptions = (scope: Scope) =>
  queryOptions({
    queryKey: quotaRequestKeys.list(scope),
    queryFn: ({ signal }) =>
      requestJson({ path: apiPaths.quotaRequests(scope), schema: requestListSchema, signal }),
    refetchInterval: pollWhileMoving({ fastMs: 10_000, slowMs: 20_000 }),
  })

/** While a change writes or takes back, it is asked for often; else it does not move under the hand. */
export const quotaRequestOptions = ({ id }: { id: number }) =>
  queryOptions({
    queryKey: quotaRequestKeys.detail({ id }),
    queryFn: ({ signal }) =>
      requestJson({ path: apiPaths.quotaRequest({ id }), schema: requestDetailSchema, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.standing === 'writing' || data?.standing === 'ending' ? 2000 : 30_000,
  })

export const decideRequestOptions = ({ id }: { id: number }) =>
  mutationOptions({
    mutationKey: ['quotaRequests', 'decide', { id }],
    mutationFn: (body: DecideRequest) =>
      requestJson({
        path: apiPaths.quotaRequestDecision({ id }),
        method: 'POST',
        body,
        schema: requestDetailSchema,
      }),
    // What was refused may have been decided by somebody else: the page shows it.
    onSettled: (_request, _err, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: quotaRequestKeys.all }),
  })
