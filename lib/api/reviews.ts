import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Review, ReviewList } from '@/lib/schemas/api/review'
import type { REVIEW_FILTERS } from '@/lib/schemas/states'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'

/** A period by the clocks of a zone (null: the console's), of everything or of one group. */
export type ReviewQuestion = {
  cloud: string | null
  period: string
  zone: string | null
  by: (typeof REVIEW_FILTERS)[number]
  key: string
}
type ListScope = { cloud: string | null; zone: string | null }

const reviewKeys = {
  all: ['reviews'] as const,
  list: (scope: ListScope) => ['reviews', 'list', scope] as const,
  preview: (question: ReviewQuestion) => ['reviews', 'preview', question] as const,
  detail: ({ id }: { id: number }) => ['reviews', 'detail', { id }] as const,
}

export const reviewListOptions = (scope: ListScope) =>
  queryOptions({
    queryKey: reviewKeys.list(scope),
    queryFn: ({ signal }) => requestJson<ReviewList>({ path: apiPaths.reviews(scope), signal }),
    refetchInterval: 60_000,
  })

/** A frozen review never changes. */
export const reviewOptions = ({ id }: { id: number }) =>
  queryOptions({
    queryKey: reviewKeys.detail({ id }),
    queryFn: ({ signal }) => requestJson<Review>({ path: apiPaths.review({ id }), signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const reviewPreviewOptions = (question: ReviewQuestion) =>
  queryOptions({
    queryKey: reviewKeys.preview(question),
    queryFn: ({ signal }) => requestJson<Review>({ path: apiPaths.reviewPreview(question), signal }),
    staleTime: 60_000,
  })

export const makeReviewOptions = () =>
  mutationOptions({
    mutationKey: ['reviews', 'make'],
    mutationFn: (question: ReviewQuestion) =>
      requestJson<Review>({ path: apiPaths.reviews(), method: 'POST', body: question }),
    onSettled: (_review, _err, _question, _result, { client }) =>
      client.invalidateQueries({ queryKey: reviewKeys.all }),
  })
