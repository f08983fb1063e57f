import { deliveryParamsSchema } from '@/lib/schemas/api/webhook-inputs'
import { route } from '@/lib/server/http/route'
import { sendAgain } from '@/lib/services/webhook/send-again'

export const dynamic = 'force-dynamic'

export const POST = route({ params: deliveryParamsSchema }, ({ ctx, params }) => sendAgain(ctx, params))
