import { cloudScopeSchema, hostParamsSchema } from '@/lib/schemas/api/scope'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { getHostPci } from '@/lib/services/host/get-host-pci'

export const dynamic = 'force-dynamic'

export const GET = route(
  { params: hostParamsSchema, query: cloudScopeSchema },
  async ({ ctx, request, params, query }) =>
    conditionalJson(request, await getHostPci(ctx, { ...params, ...query })),
)
