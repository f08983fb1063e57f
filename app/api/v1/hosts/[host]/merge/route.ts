import { mergeHostSchema, mergePreviewQuerySchema } from '@/lib/schemas/api/host-removal-inputs'
import { cloudScopeSchema, hostParamsSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { mergeHost, previewMerge } from '@/lib/services/host/merge-host'

export const dynamic = 'force-dynamic'

export const GET = route(
  { params: hostParamsSchema, query: mergePreviewQuerySchema },
  ({ ctx, params, query }) => previewMerge(ctx, { ...params, ...query }),
)

export const POST = route(
  { params: hostParamsSchema, query: cloudScopeSchema, body: mergeHostSchema },
  ({ ctx, params, query, body }) => mergeHost(ctx, { ...params, ...query, ...body }),
)
