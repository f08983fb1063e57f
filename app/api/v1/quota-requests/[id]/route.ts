import { requestParamsSchema } from '@/lib/schemas/api/quota-request-inputs'
import { route } from '@/lib/server/http/route'
import { getRequest } from '@/lib/services/quota-request/get-request'

export const dynamic = 'force-dynamic'

export const GET = route({ params: requestParamsSchema }, ({ ctx, params }) => getRequest(ctx, params))
