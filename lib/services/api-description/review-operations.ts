import { reviewListSchema, reviewSchema } from '@/lib/schemas/api/review'
import {
  makeReviewSchema,
  reviewExportSchema,
  reviewListScopeSchema,
  reviewParamsSchema,
  reviewScopeSchema,
} from '@/lib/schemas/api/review-inputs'
import type { Area } from './operation'

export const REVIEW_AREA: Area = {
  title: 'Reviews',
  about: 'The numbers of months and quarters that have closed, frozen',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/reviews',
      summary: 'Months and quarters with their frozen reviews',
      may: 'fleet.read',
      query: reviewListScopeSchema,
      answer: reviewListSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/reviews',
      summary: 'Freeze the review of a period; asked again, the same one is answered',
      may: 'review.make',
      body: makeReviewSchema,
      answer: reviewSchema,
      status: 201,
    },
    {
      method: 'GET',
      path: '/api/v1/reviews/preview',
      summary: 'What the review of a period would say now',
      may: 'fleet.read',
      query: reviewScopeSchema,
      answer: reviewSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/reviews/{id}',
      summary: 'A frozen review',
      may: 'fleet.read',
      params: reviewParamsSchema,
      answer: reviewSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/reviews/{id}/export',
      summary: 'The same as CSV, or as JSON with the bytes that its fingerprint is of',
      may: 'fleet.read',
      params: reviewParamsSchema,
      query: reviewExportSchema,
      answer: 'text',
    },
  ],
}
