import { ownRequestParamsSchema } from '@/lib/schemas/api/quota-request-inputs'
import { route } from '@/lib/server/http/route'
import { withdrawRequest } from '@/lib/services/quota-request/withdraw-request'

export const dynamic = 'force-dynamic'

/** Takes the request back; it stays in the list as withdrawn. */
export const DELETE = route({ params: ownRequestParamsSchema }, ({ ctx, params }) =>
  withdrawRequest(ctx, params),
)
