import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { listGpusEncoded } from '@/lib/services/gpu/list-gpus'
import { encodedFleetResponse } from './encoded-fleet-response'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, async ({ ctx, request, query }) =>
  encodedFleetResponse(request, await listGpusEncoded(ctx, query)),
)
