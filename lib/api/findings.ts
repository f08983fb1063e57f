import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { FindingDetail, FindingList } from '@/lib/schemas/api/finding'
import type { AcknowledgeFinding } from '@/lib/schemas/api/finding-inputs'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNewer } from './client'
import { type FindingQuestion, type FindingScope, findingKeys } from './finding-keys'
import { pagedList } from './paged-list'
import { pollWhileMoving } from './poll-interval'

/** A round of reading lasts about a minute, so more frequent requests show nothing new. */
const pace = { fastMs: 10_000, slowMs: 20_000 }

/** States of findings that need attention, were acknowledged, or are muted. */
export const UNRESOLVED = { state: 'open,acknowledged,muted' }

/** The first findings, without evidence. Unchanged findings are a 304 and keep the object of the last answer. */
export const findingListOptions = (scope: FindingScope) =>
  queryOptions({
    queryKey: findingKeys.list(scope),
    queryFn: ({ client, queryKey, signal }) => {
      const known = client.getQueryData<FindingList>(queryKey)
      return requestNewer<FindingList>({
        path: apiPaths.findings(scope),
        known,
        etag: known && `W/"${known.version}"`,
        signal,
      })
    },
    refetchInterval: pollWhileMoving(pace),
  })

/** By kind: the first findings of each; of a single kind page by page. */
export const findingPages = pagedList<FindingQuestion, FindingList>({
  key: ['findings', 'pages'],
  path: apiPaths.findings,
  pageSize: 40,
  pace,
})

export const findingDetailOptions = ({ id }: { id: number }) =>
  queryOptions({
    queryKey: findingKeys.detail({ id }),
    queryFn: ({ signal }) => requestJson<FindingDetail>({ path: apiPaths.finding({ id }), signal }),
    refetchInterval: pollWhileMoving(pace),
  })

export const acknowledgeFindingOptions = ({ id }: { id: number }) =>
  mutationOptions({
    mutationKey: ['findings', 'acknowledge', { id }],
    mutationFn: (body: AcknowledgeFinding) =>
      requestJson<FindingDetail>({
        path: apiPaths.findingAcknowledgement({ id }),
        method: 'PUT',
        body,
      }),
    onSuccess: (_finding, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: findingKeys.all }),
  })

export const endAcknowledgementOptions = ({ id }: { id: number }) =>
  mutationOptions({
    mutationKey: ['findings', 'endAcknowledgement', { id }],
    mutationFn: () =>
      requestJson<FindingDetail>({
        path: apiPaths.findingAcknowledgement({ id }),
        method: 'DELETE',
      }),
    onSuccess: (_finding, _nothing, _result, { client }) =>
      client.invalidateQueries({ queryKey: findingKeys.all }),
  })
