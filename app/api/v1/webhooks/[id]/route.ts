import { updateWebhookSchema, webhookParamsSchema } from '@/lib/schemas/api/webhook-inputs'
import { route } from '@/lib/server/http/route'
import { deleteWebhook } from '@/lib/services/webhook/delete-webhook'
import { updateWebhook } from '@/lib/services/webhook/update-webhook'

export const dynamic = 'force-dynamic'

export const PUT = route(
  { params: webhookParamsSchema, body: updateWebhookSchema },
  ({ ctx, params, body }) => updateWebhook(ctx, { ...params, body }),
)

export const DELETE = route({ params: webhookParamsSchema }, ({ ctx, params }) => deleteWebhook(ctx, params))
