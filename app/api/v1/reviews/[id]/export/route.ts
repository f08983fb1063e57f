import { reviewExportSchema, reviewParamsSchema } from '@/lib/schemas/api/review-inputs'
import { attachment } from '@/lib/server/http/attachment'
import { route } from '@/lib/server/http/route'
import { exportReview } from '@/lib/services/review/export-review'

export const dynamic = 'force-dynamic'

export const GET = route(
  { params: reviewParamsSchema, query: reviewExportSchema },
  async ({ ctx, params, query }) => attachment(await exportReview(ctx, { ...params, ...query })),
)
