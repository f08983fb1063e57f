import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { ownRequestListSchema, ownRequestSchema } from '@/lib/schemas/api/quota-request'
import type { MakeRequest } from '@/lib/schemas/api/quota-request-inputs'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { pollWhileMoving } from './poll-interval'

const LIST = ['ownRequests', 'list'] as const

export const ownRequestListOptions = () =>
  queryOptions({
    queryKey: LIST,
    queryFn: ({ signal }) =>
      requestJson({ path: apiPaths.ownRequests(), schema: ownRequestListSchema, signal }),
    refetchInterval: pollWhileMoving({ fastMs: 10_000, slowMs: 20_000 }),
  })

export const makeRequestOptions = () =>
  mutationOptions({
    mutationKey: ['ownRequests', 'make'],
    mutationFn: (body: MakeRequest) =>
      requestJson({ path: apiPaths.ownRequests(), method: 'POST', body, schema: ownRequestSchema }),
    onSuccess: (_request, _body, _result, { client }) => client.invalidateQueries({ queryKey: LIST }),
  })

export const withdrawRequestOptions = () =>
  mutationOptions({
    mutationKey: ['ownRequests', 'withdraw'],
    mutationFn: ({ number }: { number: number }) =>
      requestJson({ path: apiPaths.ownRequest({ number }), method: 'DELETE', schema: ownRequestSchema }),
    onSettled: (_request, _err, _body, _result, { client }) => client.invalidateQueries({ queryKey: LIST }),
  })
