import { utilizationScopeSchema } from '@/lib/schemas/api/utilization-inputs'
import { route } from '@/lib/server/http/route'
import { getUtilization } from '@/lib/services/utilization/get-utilization'

export const dynamic = 'force-dynamic'

export const GET = route({ query: utilizationScopeSchema }, ({ ctx, query }) => getUtilization(ctx, query))
