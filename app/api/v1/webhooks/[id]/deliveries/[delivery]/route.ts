import { deliveryParamsSchema } from '@/lib/schemas/api/webhook-inputs'
import { route } from '@/lib/server/http/route'
import { getDelivery } from '@/lib/services/webhook/get-delivery'

export const dynamic = 'force-dynamic'

export const GET = route({ params: deliveryParamsSchema }, ({ ctx, params }) => getDelivery(ctx, params))
