import { mutationOptions, queryOptions } from '@tanstack/react-query'
import {
  type FindingList,
  findingCountsSchema,
  findingDetailSchema,
  findingListSchema,
} from '@/lib/schemas/api/finding'
import type { AcknowledgeFinding } from '@/lib/schemas/api/finding-inputs'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNewer } from './client'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

/** Of one host, or of subjects of some kinds; neither: all. */
type ListScope = Scope & { host?: string; about?: string }

/** What is known of a pGPU's sources stands under it too, because it carries the pGPU's findings. */
export const findingKeys = {
  all: ['findings'] as const,
  list: (scope: ListScope) => ['findings', 'list', scope] as const,
  counts: ({ cloud }: Scope) => ['findings', 'counts', { cloud }] as const,
  detail: ({ id }: { id: number }) => ['findings', 'detail', { id }] as const,
  sources: ({ cloud, host, address }: Scope & { host: string; address: string }) =>
    ['findings', 'sources', { cloud, host, address }] as const,
}

/** A round of reading lasts about a minute, so asking more often tells nothing new. */
const pace = { fastMs: 10_000, slowMs: 20_000 }

/** Without evidence. Unchanged findings are a 304 and keep the object of the last answer. */
export const findingListOptions = (scope: ListScope) =>
  queryOptions({
    queryKey: findingKeys.list(scope),
    queryFn: ({ client, queryKey, signal }) => {
      const known = client.getQueryData<FindingList>(queryKey)
      return requestNewer({
        path: apiPaths.findings(scope),
        schema: findingListSchema,
        known,
        etag: known && `W/"${known.version}"`,
        signal,
      })
    },
    refetchInterval: pollWhileMoving(pace),
  })

/** How many are open, for the navigation. */
export const findingCountsOptions = (scope: Scope) =>
  queryOptions({
    queryKey: findingKeys.counts(scope),
    queryFn: ({ signal }) =>
      requestJson({ path: apiPaths.findingCounts(scope), schema: findingCountsSchema, signal }),
    refetchInterval: 10_000,
  })

export const findingDetailOptions = ({ id }: { id: number }) =>
  queryOptions({
    queryKey: findingKeys.detail({ id }),
    queryFn: ({ signal }) =>
      requestJson({ path: apiPaths.finding({ id }), schema: findingDetailSchema, signal }),
    refetchInterval: pollWhileMoving(pace),
  })

export const acknowledgeFindingOptions = ({ id }: { id: number }) =>
  mutationOptions({
    mutationKey: ['findings', 'acknowledge', { id }],
    mutationFn: (body: AcknowledgeFinding) =>
      requestJson({
        path: apiPaths.findingAcknowledgement({ id }),
        method: 'PUT',
        body,
        schema: findingDetailSchema,
      }),
    onSuccess: (_finding, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: findingKeys.all }),
  })

export const endAcknowledgementOptions = ({ id }: { id: number }) =>
  mutationOptions({
    mutationKey: ['findings', 'endAcknowledgement', { id }],
    mutationFn: () =>
      requestJson({
        path: apiPaths.findingAcknowledgement({ id }),
        method: 'DELETE',
        schema: findingDetailSchema,
      }),
    onSuccess: (_finding, _nothing, _result, { client }) =>
      client.invalidateQueries({ queryKey: findingKeys.all }),
  })
