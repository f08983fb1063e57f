import 'server-only'
import { jsonMessage } from '@/lib/domain/webhook/json-message'
import { slackMessage } from '@/lib/domain/webhook/slack-message'
import type { WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { type Posted, postWebhook } from '@/lib/server/webhook/post-webhook'
import { jsonText } from '@/lib/util/encode/json'
import { sealPurpose, type WebhookRow } from './webhook-rows'

/** The body of an event in the webhook's form. */
export const bodyOf = (
  { webhooks }: Pick<ServiceContext, 'webhooks'>,
  { form, event, id }: { form: WebhookRow['form']; event: WebhookEvent; id: string },
): string => {
  const outgoing = { event, id, consoleUrl: webhooks.consoleUrl }
  return jsonText(form === 'slack' ? slackMessage(outgoing) : jsonMessage(outgoing))
}

type Where = Pick<WebhookRow, 'id' | 'sealedAddress' | 'sealedSecret'>

const SEALED = {
  status: null,
  failure:
    'its address and secret were sealed with another SLICEBOARD_SECRET: type the address again and renew the secret',
  retryAfterSeconds: null,
  tookMs: 0,
}

/** One try. It rejects for nothing that lies with the receiver. */
export const sendEvent = async (
  { webhooks, now }: ServiceContext,
  { webhook, id, event, body }: { webhook: Where; id: string; event: string; body: string },
): Promise<Posted> => {
  const { box, named, resolve } = webhooks
  const address = box.open(webhook.sealedAddress, sealPurpose(webhook.id, 'address'))
  const secret = box.open(webhook.sealedSecret, sealPurpose(webhook.id, 'secret'))
  if (address === null || secret === null) return SEALED
  return postWebhook({ address, secret, id, event, body }, { at: now(), named, resolve })
}
