import { makeReviewSchema, reviewListScopeSchema } from '@/lib/schemas/api/review-inputs'
import { route } from '@/lib/server/http/route'
import { listReviews } from '@/lib/services/review/list-reviews'
import { makeReview } from '@/lib/services/review/make-review'

export const dynamic = 'force-dynamic'

export const GET = route({ query: reviewListScopeSchema }, ({ ctx, query }) => listReviews(ctx, query))

export const POST = route({ body: makeReviewSchema, status: 201 }, ({ ctx, body }) => makeReview(ctx, body))
