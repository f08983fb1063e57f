import { acknowledgeFindingSchema, findingMuteParamsSchema } from '@/lib/schemas/api/finding-inputs'
import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { muteFindings, unmuteFindings } from '@/lib/services/finding/mute-findings'

export const dynamic = 'force-dynamic'

export const PUT = route(
  { params: findingMuteParamsSchema, query: cloudScopeSchema, body: acknowledgeFindingSchema },
  ({ ctx, params, query, body }) => muteFindings(ctx, { ...query, ...params, body }),
)

export const DELETE = route(
  { params: findingMuteParamsSchema, query: cloudScopeSchema },
  ({ ctx, params, query }) => unmuteFindings(ctx, { ...query, ...params }),
)
