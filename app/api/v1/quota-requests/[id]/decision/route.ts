import { decideRequestSchema, requestParamsSchema } from '@/lib/schemas/api/quota-request-inputs'
import { route } from '@/lib/server/http/route'
import { decideRequest } from '@/lib/services/quota-request/decide-request'

export const dynamic = 'force-dynamic'

export const POST = route(
  { params: requestParamsSchema, body: decideRequestSchema },
  ({ ctx, params, body }) => decideRequest(ctx, { ...params, body }),
)
