import { infiniteQueryOptions, keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import {
  type FindingList,
  findingDetailSchema,
  findingListSchema,
  type TrackedFinding,
} from '@/lib/schemas/api/finding'
import type { AcknowledgeFinding } from '@/lib/schemas/api/finding-inputs'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNewer } from './client'
import { type FindingQuestion, type FindingScope, findingKeys } from './finding-keys'
import { pollWhileMoving } from './poll-interval'
import { readAllPages } from './read-all-pages'

/** A round of reading lasts about a minute, so more frequent requests show nothing new. */
const pace = { fastMs: 10_000, slowMs: 20_000 }

/** States of findings that need attention or were acknowledged. */
export const UNRESOLVED = { state: 'open,acknowledged' }

/** The first findings, without evidence. Unchanged findings are a 304 and keep the object of the last answer. */
export const findingListOptions = (scope: FindingScope) =>
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

/** Rows of a page, headings of kinds aside. */
const PAGE_SIZE = '50'

const pageScope = (question: FindingQuestion) => ({ ...question, sort: 'kind' as const, limit: PAGE_SIZE })

/** The first findings of each kind; of a single kind page by page. */
export const findingPagesOptions = (question: FindingQuestion) =>
  infiniteQueryOptions({
    queryKey: findingKeys.pages(question),
    queryFn: ({ pageParam, signal }) =>
      requestJson({
        path: apiPaths.findings({ ...pageScope(question), cursor: pageParam }),
        schema: findingListSchema,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: FindingList) => next,
    placeholderData: keepPreviousData,
    refetchInterval: pollWhileMoving(pace),
  })

/** The first page as the server prefetches it. */
export const firstFindingPage = pageScope

/** Every finding of the query, over all pages. */
export const allFindings = async (question: FindingQuestion): Promise<TrackedFinding[]> => {
  const pages = await readAllPages((cursor) =>
    requestJson({
      path: apiPaths.findings({ ...question, limit: '1000', cursor }),
      schema: findingListSchema,
    }),
  )
  return pages.flatMap(({ findings }) => findings)
}

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
