import { gpuServerListScopeSchema } from '@/lib/schemas/api/scope'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { listGpuServers } from '@/lib/services/gpu-server/list-gpu-servers'

export const dynamic = 'force-dynamic'

export const GET = route({ query: gpuServerListScopeSchema }, async ({ ctx, request, query }) =>
  conditionalJson(request, await listGpuServers(ctx, query)),
)
