import { cloudScopeSchema, gpuParamsSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { getGpuSources } from '@/lib/services/gpu/get-gpu-sources'

export const dynamic = 'force-dynamic'

export const GET = route({ params: gpuParamsSchema, query: cloudScopeSchema }, ({ ctx, params, query }) =>
  getGpuSources(ctx, { ...params, ...query }),
)
