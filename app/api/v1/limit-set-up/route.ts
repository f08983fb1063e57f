import { limitSetUpScopeSchema } from '@/lib/schemas/api/scope'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { getLimitSetUp } from '@/lib/services/limit-set-up/get-limit-set-up'

export const dynamic = 'force-dynamic'

export const GET = route({ query: limitSetUpScopeSchema }, async ({ ctx, request, query }) =>
  conditionalJson(request, await getLimitSetUp(ctx, query)),
)
