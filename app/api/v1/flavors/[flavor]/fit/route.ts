import { flavorFitQuerySchema, flavorParamsSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { explainFlavor } from '@/lib/services/flavor/explain-flavor'

export const dynamic = 'force-dynamic'

export const GET = route(
  { params: flavorParamsSchema, query: flavorFitQuerySchema },
  ({ ctx, params, query }) => explainFlavor(ctx, { ...params, ...query }),
)
