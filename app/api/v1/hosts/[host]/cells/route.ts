import { cloudScopeSchema, hostParamsSchema } from '@/lib/schemas/api/scope'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { getHostCells } from '@/lib/services/host/get-host-cells'

export const dynamic = 'force-dynamic'

export const GET = route(
  { params: hostParamsSchema, query: cloudScopeSchema },
  async ({ ctx, request, params, query }) =>
    conditionalJson(request, await getHostCells(ctx, { ...params, ...query })),
)
