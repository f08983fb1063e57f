import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { RequestDetail, RequestGroup, RequestList } from '@/lib/schemas/api/quota-request'
import type { DecideRequest } from '@/lib/schemas/api/quota-request-inputs'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pagedList } from './paged-list'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

/** What the list is narrowed to. */
export type RequestQuestion = Scope & { q: string; group: RequestGroup | null }

const quotaRequestKeys = {
  all: ['quotaRequests'] as const,
  pending: ({ cloud }: Scope) => ['quotaRequests', 'pending', { cloud }] as const,
  detail: ({ id }: { id: number }) => ['quotaRequests', 'detail', { id }] as const,
}

const pace = { fastMs: 10_000, slowMs: 20_000 }

export const quotaRequestPages = pagedList<RequestQuestion, RequestList>({
  key: ['quotaRequests', 'pages'],
  path: apiPaths.quotaRequests,
  pageSize: 40,
  pace,
})

/** The first requests without a decision, and the number of all. */
export const pendingRequestsOptions = (scope: Scope) =>
  queryOptions({
    queryKey: quotaRequestKeys.pending(scope),
    queryFn: ({ signal }) =>
      requestJson<RequestList>({
        path: apiPaths.quotaRequests({ ...scope, group: 'open', limit: '3' }),
        signal,
      }),
    refetchInterval: pollWhileMoving(pace),
  })

/** Refreshed often while a change writes or resets the limit; else the form must not change during editing. */
export const quotaRequestOptions = ({ id }: { id: number }) =>
  queryOptions({
    queryKey: quotaRequestKeys.detail({ id }),
    queryFn: ({ signal }) => requestJson<RequestDetail>({ path: apiPaths.quotaRequest({ id }), signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'writing' || data?.status === 'ending' ? 2000 : 30_000,
  })

export const decideRequestOptions = ({ id }: { id: number }) =>
  mutationOptions({
    mutationKey: ['quotaRequests', 'decide', { id }],
    mutationFn: (body: DecideRequest) =>
      requestJson<RequestDetail>({
        path: apiPaths.quotaRequestDecision({ id }),
        method: 'POST',
        body,
      }),
    // A refused decision may mean that the request was decided by another admin: the page shows it.
    onSettled: (_request, _err, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: quotaRequestKeys.all }),
  })
