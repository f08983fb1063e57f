import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { listVgpuActions } from '@/lib/services/vgpu-action/list-vgpu-actions'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, async ({ ctx, request, query }) =>
  conditionalJson(request, await listVgpuActions(ctx, query)),
)
