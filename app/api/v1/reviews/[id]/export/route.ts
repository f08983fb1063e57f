import { reviewExportSchema, reviewParamsSchema } from '@/lib/schemas/api/review-inputs'
import { route } from '@/lib/server/http/route'
import { exportReview } from '@/lib/services/review/export-review'

export const dynamic = 'force-dynamic'

export const GET = route(
  { params: reviewParamsSchema, query: reviewExportSchema },
  async ({ ctx, params, query }) => {
    const { name, type, text } = await exportReview(ctx, { ...params, ...query })
    return new Response(text, {
      headers: {
        'content-type': type,
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      },
    })
  },
)
