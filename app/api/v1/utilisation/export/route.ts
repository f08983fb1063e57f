import { utilisationScopeSchema } from '@/lib/schemas/api/utilisation-inputs'
import { route } from '@/lib/server/http/route'
import { exportUtilisation } from '@/lib/services/utilisation/export-utilisation'

export const dynamic = 'force-dynamic'

export const GET = route({ query: utilisationScopeSchema }, async ({ ctx, query }) => {
  const { name, text } = await exportUtilisation(ctx, query)
  return new Response(text, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  })
})
