import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { createWebhookSchema } from '@/lib/schemas/api/webhook-inputs'
import { route } from '@/lib/server/http/route'
import { createWebhook } from '@/lib/services/webhook/create-webhook'
import { listWebhooks } from '@/lib/services/webhook/list-webhooks'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, ({ ctx, query }) => listWebhooks(ctx, query))

export const POST = route({ body: createWebhookSchema, status: 201 }, ({ ctx, body }) =>
  createWebhook(ctx, { body }),
)
