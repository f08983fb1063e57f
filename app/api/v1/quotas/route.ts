import { quotaScopeSchema } from '@/lib/schemas/api/quota-inputs'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { listQuotas } from '@/lib/services/quota/list-quotas'

export const dynamic = 'force-dynamic'

export const GET = route({ query: quotaScopeSchema }, async ({ ctx, request, query }) =>
  conditionalJson(request, await listQuotas(ctx, query)),
)
