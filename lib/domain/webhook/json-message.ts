import {
  WEBHOOK_BODY_VERSION,
  type WebhookBody,
  type WebhookEvent,
} from '@/lib/schemas/webhook/webhook-event'
import { findingPath } from '@/lib/util/paths'
import { eventPath, eventText } from './event-text'

/** An event on its way: `id` is its uuid, `consoleUrl` the console's address without a slash at the end. */
export type Outgoing = { event: WebhookEvent; id: string; consoleUrl: string | null }

/** The link to a page of the console; null: the console does not know its own address. */
export const linkTo = ({ consoleUrl }: Pick<Outgoing, 'consoleUrl'>, path: string): string | null =>
  consoleUrl === null ? null : `${consoleUrl}${path}`

/** The body of form `json` (`webhookBodySchema`). */
export const jsonMessage = (outgoing: Outgoing): WebhookBody => {
  const { event, id } = outgoing
  const envelope = {
    version: WEBHOOK_BODY_VERSION,
    id,
    summary: eventText(event),
    url: linkTo(outgoing, eventPath(event)),
  } as const
  if (event.event !== 'findings.changed') return { ...envelope, ...event }
  const findings = event.findings.map((line) => ({
    ...line,
    url: linkTo(outgoing, findingPath({ cloud: event.cloud, id: line.id })),
  }))
  return { ...envelope, ...event, findings }
}
