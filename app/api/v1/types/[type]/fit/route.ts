import { typeFitQuerySchema, typeParamsSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { explainType } from '@/lib/services/vgpu-type/explain-type'

export const dynamic = 'force-dynamic'

export const GET = route({ params: typeParamsSchema, query: typeFitQuerySchema }, ({ ctx, params, query }) =>
  explainType(ctx, { ...params, ...query }),
)
