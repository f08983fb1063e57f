import { changeParamsSchema, runbookParamsSchema } from '@/lib/schemas/api/change-inputs'
import { route } from '@/lib/server/http/route'
import { getRunbook } from '@/lib/services/change/get-runbook'

export const dynamic = 'force-dynamic'

export const GET = route(
  { params: changeParamsSchema, query: runbookParamsSchema },
  async ({ ctx, params, query }) => {
    const { name, type, text } = await getRunbook(ctx, { ...params, ...query })
    return new Response(text, {
      headers: {
        'content-type': type,
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      },
    })
  },
)
