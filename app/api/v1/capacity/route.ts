import { capacityScopeSchema } from '@/lib/schemas/api/capacity-inputs'
import { route } from '@/lib/server/http/route'
import { getCapacitySeries } from '@/lib/services/capacity/get-capacity-series'

export const dynamic = 'force-dynamic'

export const GET = route({ query: capacityScopeSchema }, ({ ctx, query }) => getCapacitySeries(ctx, query))
