import { utilisationScopeSchema } from '@/lib/schemas/api/utilization-inputs'
import { route } from '@/lib/server/http/route'
import { getUtilisation } from '@/lib/services/utilization/get-utilization'

export const dynamic = 'force-dynamic'

export const GET = route({ query: utilisationScopeSchema }, ({ ctx, query }) => getUtilisation(ctx, query))
