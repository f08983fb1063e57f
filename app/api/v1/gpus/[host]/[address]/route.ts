import { cloudScopeSchema, gpuParamsSchema } from '@/lib/schemas/api/scope'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { getGpu } from '@/lib/services/gpu/get-gpu'

export const dynamic = 'force-dynamic'

export const GET = route(
  { params: gpuParamsSchema, query: cloudScopeSchema },
  async ({ ctx, request, params, query }) =>
    conditionalJson(request, await getGpu(ctx, { ...params, ...query })),
)
