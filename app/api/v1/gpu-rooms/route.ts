import { gpuHeadroomScopeSchema } from '@/lib/schemas/api/scope'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { listGpuRooms } from '@/lib/services/gpu-headroom/list-gpu-headroom'

export const dynamic = 'force-dynamic'

export const GET = route({ query: gpuHeadroomScopeSchema }, async ({ ctx, request, query }) =>
  conditionalJson(request, await listGpuRooms(ctx, query)),
)
