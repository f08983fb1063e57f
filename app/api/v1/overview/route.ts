import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { getOverview } from '@/lib/services/overview/get-overview'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, async ({ ctx, request, query }) =>
  conditionalJson(request, await getOverview(ctx, query)),
)
