import { acknowledgeFindingSchema, findingParamsSchema } from '@/lib/schemas/api/finding-inputs'
import { route } from '@/lib/server/http/route'
import { acknowledgeFinding, endAcknowledgement } from '@/lib/services/finding/acknowledge-finding'

export const dynamic = 'force-dynamic'

export const PUT = route(
  { params: findingParamsSchema, body: acknowledgeFindingSchema },
  ({ ctx, params, body }) => acknowledgeFinding(ctx, { ...params, body }),
)

export const DELETE = route({ params: findingParamsSchema }, ({ ctx, params }) =>
  endAcknowledgement(ctx, params),
)
