import { flavorListScopeSchema } from '@/lib/schemas/api/scope'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { listFlavors } from '@/lib/services/flavor/list-flavors'

export const dynamic = 'force-dynamic'

export const GET = route({ query: flavorListScopeSchema }, async ({ ctx, request, query }) =>
  conditionalJson(request, await listFlavors(ctx, query)),
)
