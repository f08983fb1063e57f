import { capacityExportScopeSchema } from '@/lib/schemas/api/capacity-inputs'
import { route } from '@/lib/server/http/route'
import { exportCapacity } from '@/lib/services/capacity/export-capacity'

export const dynamic = 'force-dynamic'

export const GET = route({ query: capacityExportScopeSchema }, async ({ ctx, query }) => {
  const { name, text } = await exportCapacity(ctx, query)
  return new Response(text, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  })
})
