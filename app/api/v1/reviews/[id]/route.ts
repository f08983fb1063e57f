import { reviewParamsSchema } from '@/lib/schemas/api/review-inputs'
import { route } from '@/lib/server/http/route'
import { getReview } from '@/lib/services/review/get-review'

export const dynamic = 'force-dynamic'

export const GET = route({ params: reviewParamsSchema }, ({ ctx, params }) => getReview(ctx, params))
