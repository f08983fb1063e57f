import { managedTraitParamsSchema } from '@/lib/schemas/api/managed-trait-inputs'
import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { endKeeping } from '@/lib/services/managed-trait/end-keeping'

export const dynamic = 'force-dynamic'

export const DELETE = route(
  { params: managedTraitParamsSchema, query: cloudScopeSchema },
  ({ ctx, params, query }) => endKeeping(ctx, { ...params, ...query }),
)
