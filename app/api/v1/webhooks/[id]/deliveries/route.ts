import { webhookParamsSchema } from '@/lib/schemas/api/webhook-inputs'
import { route } from '@/lib/server/http/route'
import { listDeliveries } from '@/lib/services/webhook/list-deliveries'

export const dynamic = 'force-dynamic'

export const GET = route({ params: webhookParamsSchema }, ({ ctx, params }) => listDeliveries(ctx, params))
