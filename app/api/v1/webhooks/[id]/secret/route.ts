import { webhookParamsSchema } from '@/lib/schemas/api/webhook-inputs'
import { route } from '@/lib/server/http/route'
import { renewWebhookSecret } from '@/lib/services/webhook/renew-secret'

export const dynamic = 'force-dynamic'

export const POST = route({ params: webhookParamsSchema, status: 201 }, ({ ctx, params }) =>
  renewWebhookSecret(ctx, params),
)
