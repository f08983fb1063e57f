import { webhookParamsSchema } from '@/lib/schemas/api/webhook-inputs'
import { route } from '@/lib/server/http/route'
import { testWebhook } from '@/lib/services/webhook/test-webhook'

export const dynamic = 'force-dynamic'

export const POST = route({ params: webhookParamsSchema }, ({ ctx, params }) => testWebhook(ctx, params))
