import { refusedDemandScopeSchema } from '@/lib/schemas/api/refused-demand-inputs'
import { route } from '@/lib/server/http/route'
import { getRefusedDemand } from '@/lib/services/demand/get-refused-demand'

export const dynamic = 'force-dynamic'

export const GET = route({ query: refusedDemandScopeSchema }, ({ ctx, query }) =>
  getRefusedDemand(ctx, query),
)
