import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { listHosts } from '@/lib/services/host/list-hosts'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, async ({ ctx, request, query }) =>
  conditionalJson(request, await listHosts(ctx, query)),
)
