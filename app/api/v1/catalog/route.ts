import { catalogScopeSchema } from '@/lib/schemas/api/catalog-inputs'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { getCatalog } from '@/lib/services/catalog/get-catalog'

export const dynamic = 'force-dynamic'

export const GET = route({ query: catalogScopeSchema }, async ({ ctx, request, query }) =>
  conditionalJson(request, await getCatalog(ctx, query)),
)
