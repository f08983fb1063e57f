import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { OwnRequest, OwnRequestList } from '@/lib/schemas/api/quota-request'
import type { MakeRequest } from '@/lib/schemas/api/quota-request-inputs'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

const LIST = ['ownRequests', 'list'] as const

export const ownRequestListOptions = () =>
  queryOptions({
    queryKey: LIST,
    queryFn: ({ signal }) => requestJson<OwnRequestList>({ path: apiPaths.ownRequests(), signal }),
    refetchInterval: pollWhileMoving({ fastMs: 10_000, slowMs: 20_000 }),
  })

export const makeRequestOptions = () =>
  mutationOptions({
    mutationKey: ['ownRequests', 'make'],
    mutationFn: (body: MakeRequest) =>
      requestJson<OwnRequest>({ path: apiPaths.ownRequests(), method: 'POST', body }),
    onSuccess: (_request, _body, _result, { client }) => client.invalidateQueries({ queryKey: LIST }),
  })

export const withdrawRequestOptions = () =>
  mutationOptions({
    mutationKey: ['ownRequests', 'withdraw'],
    mutationFn: ({ number }: { number: number }) =>
      requestJson<OwnRequest>({ path: apiPaths.ownRequest({ number }), method: 'DELETE' }),
    onSettled: (_request, _err, _body, _result, { client }) => client.invalidateQueries({ queryKey: LIST }),
  })
