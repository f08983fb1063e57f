import { reviewScopeSchema } from '@/lib/schemas/api/review-inputs'
import { route } from '@/lib/server/http/route'
import { previewReview } from '@/lib/services/review/preview-review'

export const dynamic = 'force-dynamic'

export const GET = route({ query: reviewScopeSchema }, ({ ctx, query }) => previewReview(ctx, query))
