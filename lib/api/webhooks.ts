import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type {
  DeliveryDetail,
  DeliveryList,
  ShownSecret,
  WebhookList,
  WebhookTest,
} from '@/lib/schemas/api/webhook'
import type { CreateWebhook, UpdateWebhook } from '@/lib/schemas/api/webhook-inputs'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNothing } from './client'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }
type Id = { id: number }

const webhookKeys = {
  all: ['webhooks'] as const,
  lists: ['webhooks', 'list'] as const,
  list: ({ cloud }: Scope) => ['webhooks', 'list', { cloud }] as const,
  log: ({ id }: Id) => ['webhooks', 'log', { id }] as const,
  delivery: (which: Id & { delivery: number }) => ['webhooks', 'delivery', which] as const,
}

const hasWaiting = ({ webhooks }: WebhookList): boolean => webhooks.some(({ waiting }) => waiting > 0)

export const webhookListOptions = (scope: Scope) =>
  queryOptions({
    queryKey: webhookKeys.list(scope),
    queryFn: ({ signal }) => requestJson<WebhookList>({ path: apiPaths.webhooks(scope), signal }),
    refetchInterval: pollWhileMoving<WebhookList>((list) =>
      hasWaiting(list) ? { fastMs: 5000, slowMs: 10_000 } : { fastMs: 15_000, slowMs: 30_000 },
    ),
  })

export const webhookLogOptions = ({ id }: Id) =>
  queryOptions({
    queryKey: webhookKeys.log({ id }),
    queryFn: ({ signal }) => requestJson<DeliveryList>({ path: apiPaths.webhookDeliveries({ id }), signal }),
    refetchInterval: pollWhileMoving({ fastMs: 5000, slowMs: 10_000 }),
  })

export const webhookDeliveryOptions = (which: Id & { delivery: number }) =>
  queryOptions({
    queryKey: webhookKeys.delivery(which),
    queryFn: ({ signal }) => requestJson<DeliveryDetail>({ path: apiPaths.webhookDelivery(which), signal }),
  })

const changed = (client: QueryClient) => client.invalidateQueries({ queryKey: webhookKeys.all })

export const createWebhookOptions = () =>
  mutationOptions({
    mutationKey: ['webhooks', 'create'],
    mutationFn: (body: CreateWebhook) =>
      requestJson<ShownSecret>({ path: apiPaths.webhooks(), method: 'POST', body }),
    onSuccess: (_secret, _body, _result, { client }) => changed(client),
  })

export const updateWebhookOptions = () =>
  mutationOptions({
    mutationKey: ['webhooks', 'update'],
    mutationFn: ({ id, ...body }: UpdateWebhook & Id) =>
      requestNothing({ path: apiPaths.webhook({ id }), method: 'PUT', body }),
    onSuccess: (_nothing, _body, _result, { client }) => changed(client),
  })

export const deleteWebhookOptions = () =>
  mutationOptions({
    mutationKey: ['webhooks', 'delete'],
    mutationFn: ({ id }: Id) => requestNothing({ path: apiPaths.webhook({ id }), method: 'DELETE' }),
    // Its log is deleted too, and must not be requested again while the page still shows it.
    onSuccess: (_nothing, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: webhookKeys.lists }),
  })

export const renewWebhookSecretOptions = () =>
  mutationOptions({
    mutationKey: ['webhooks', 'renewSecret'],
    mutationFn: ({ id }: Id) =>
      requestJson<ShownSecret>({ path: apiPaths.webhookSecret({ id }), method: 'POST' }),
  })

export const testWebhookOptions = () =>
  mutationOptions({
    mutationKey: ['webhooks', 'test'],
    mutationFn: ({ id }: Id) =>
      requestJson<WebhookTest>({ path: apiPaths.webhookTest({ id }), method: 'POST' }),
    onSettled: (_outcome, _err, _id, _result, { client }) => changed(client),
  })

export const sendAgainOptions = () =>
  mutationOptions({
    mutationKey: ['webhooks', 'sendAgain'],
    mutationFn: (which: Id & { delivery: number }) =>
      requestNothing({ path: apiPaths.webhookSendAgain(which), method: 'POST' }),
    onSettled: (_nothing, _err, _which, _result, { client }) => changed(client),
  })
