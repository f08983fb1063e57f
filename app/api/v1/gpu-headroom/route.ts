import { gpuHeadroomScopeSchema } from '@/lib/schemas/api/scope'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { listGpuHeadroom } from '@/lib/services/gpu-headroom/list-gpu-headroom'

export const dynamic = 'force-dynamic'

export const GET = route({ query: gpuHeadroomScopeSchema }, async ({ ctx, request, query }) =>
  conditionalJson(request, await listGpuHeadroom(ctx, query)),
)
