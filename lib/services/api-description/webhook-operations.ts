import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import {
  deliveryDetailSchema,
  deliveryListSchema,
  shownSecretSchema,
  webhookListSchema,
  webhookTestSchema,
} from '@/lib/schemas/api/webhook'
import {
  createWebhookSchema,
  deliveryParamsSchema,
  updateWebhookSchema,
  webhookParamsSchema,
} from '@/lib/schemas/api/webhook-inputs'
import type { Area } from './operation'

export const WEBHOOK_AREA: Area = {
  title: 'Webhooks',
  about: 'Receivers of findings, exhaustion and changes, and the delivery log.',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/webhooks',
      summary: 'Webhooks of a cloud, with the result of the last attempt',
      may: 'webhook.list',
      query: cloudScopeSchema,
      answer: webhookListSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/webhooks',
      summary: 'Add a webhook; its secret is shown only in this response',
      may: 'webhook.change',
      body: createWebhookSchema,
      answer: shownSecretSchema,
      status: 201,
    },
    {
      method: 'PUT',
      path: '/api/v1/webhooks/{id}',
      summary: 'Change, enable or disable a webhook',
      may: 'webhook.change',
      params: webhookParamsSchema,
      body: updateWebhookSchema,
      answer: null,
    },
    {
      method: 'DELETE',
      path: '/api/v1/webhooks/{id}',
      summary: 'Delete a webhook with its log',
      may: 'webhook.change',
      params: webhookParamsSchema,
      answer: null,
    },
    {
      method: 'POST',
      path: '/api/v1/webhooks/{id}/secret',
      summary: 'Replace the secret of a webhook; the new secret is shown only in this response',
      may: 'webhook.change',
      params: webhookParamsSchema,
      answer: shownSecretSchema,
      status: 201,
    },
    {
      method: 'POST',
      path: '/api/v1/webhooks/{id}/test',
      summary: 'Send a test and return its result',
      may: 'webhook.change',
      params: webhookParamsSchema,
      answer: webhookTestSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/webhooks/{id}/deliveries',
      summary: 'Sent and waiting deliveries, newest first',
      may: 'webhook.list',
      params: webhookParamsSchema,
      answer: deliveryListSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/webhooks/{id}/deliveries/{delivery}',
      summary: 'One delivery with its body',
      may: 'webhook.list',
      params: deliveryParamsSchema,
      answer: deliveryDetailSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/webhooks/{id}/deliveries/{delivery}/again',
      summary: 'Send a delivery again with the same id',
      may: 'webhook.change',
      params: deliveryParamsSchema,
      answer: null,
    },
  ],
}
