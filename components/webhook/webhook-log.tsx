'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { SideScroll } from '@/components/ui/side-scroll'
import { Skeleton } from '@/components/ui/skeleton'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { toast } from '@/components/ui/toast-store'
import { Tooltip } from '@/components/ui/tooltip'
import { sendAgainOptions, webhookDeliveryOptions, webhookLogOptions } from '@/lib/api/webhooks'
import type { WebhookDelivery, WebhookDto } from '@/lib/schemas/api/webhook'
import { formatCount } from '@/lib/util/format'
import { outcomeWord } from './webhook-labels'

/** What was sent is one line; people read it in several. */
const asLines = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)

/** The last sent body of a delivery. */
const DeliveryBody = ({ webhookId, delivery }: { webhookId: number; delivery: WebhookDelivery }) => {
  const detail = useQuery(webhookDeliveryOptions({ id: webhookId, delivery: delivery.id }))
  if (detail.isPending) return <Skeleton className="h-24" />
  if (detail.data === undefined) return <LoadProblem query={detail} what="The request body" />
  const { body, eventId } = detail.data
  return (
    <>
      <p className="text-ink2 text-small">
        ID <code>{eventId}</code>, the same for every attempt
      </p>
      {body === null ? (
        <p className="text-ink2">The message has not been sent yet.</p>
      ) : (
        <pre className="m-0 max-h-96 max-w-[88ch] overflow-y-auto whitespace-pre-wrap font-mono text-small wrap-anywhere">
          {asLines(body)}
        </pre>
      )}
    </>
  )
}

type OfWebhook = { webhook: WebhookDto; delivery: WebhookDelivery }

const Outcome = ({ delivery }: { delivery: WebhookDelivery }) => {
  const { status, failure, tookMs, tries, state, nextTryAt } = delivery
  const { word, tone } = outcomeWord(delivery)
  return (
    <>
      <Tag tone={tone}>{word}</Tag>{' '}
      {failure === null ? null : <span className="text-bad wrap-anywhere">{failure}</span>}
      {state === 'taken' ? (
        <span className="text-ink2">
          {status} in {tookMs} ms
        </span>
      ) : null}
      {state === 'waiting' && tries > 0 ? (
        <span className="text-ink2">
          , next try <Moment at={nextTryAt} form="future" />
        </span>
      ) : null}
    </>
  )
}

/** A test is not sent again: there is a button for a new one. */
const SendAgain = ({ webhook, delivery }: OfWebhook) => {
  const again = useMutation(sendAgainOptions())
  const role = useRefusal('webhook.change')
  const refusal = role ?? (webhook.isEnabled ? null : 'Enable the webhook first.')
  const label = delivery.state === 'waiting' ? 'Retry now' : 'Send again'
  const send = () =>
    again.mutate(
      { id: webhook.id, delivery: delivery.id },
      {
        onSuccess: () => toast.done('The message is sent within a few seconds.'),
        onError: (err) => toast.error('The message could not be sent again.', err.message),
      },
    )
  const button = (
    <Button
      size="small"
      aria-label={`${label}: ${delivery.summary}`}
      isUnavailable={refusal !== null || again.isPending}
      onClick={send}
    >
      {label}
    </Button>
  )
  return refusal === null ? button : <Tooltip content={refusal}>{button}</Tooltip>
}

const LogRow = ({ webhook, delivery }: OfWebhook) => {
  const [isShown, setIsShown] = useState(false)
  return (
    <>
      <Tr>
        <Td className="whitespace-nowrap">
          <Moment at={delivery.queuedAt} />
        </Td>
        <Td className="min-w-64 max-w-[44ch] wrap-anywhere">{delivery.summary}</Td>
        <Td className="min-w-48">
          <Outcome delivery={delivery} />
        </Td>
        <Td isNumber>{delivery.tries}</Td>
        <Td>
          <div className="flex justify-end gap-2">
            <Button
              size="small"
              aria-label={`Body: ${delivery.summary}`}
              aria-expanded={isShown}
              onClick={() => setIsShown(!isShown)}
            >
              Body
            </Button>
            {delivery.event === 'test' ? null : <SendAgain webhook={webhook} delivery={delivery} />}
          </div>
        </Td>
      </Tr>
      {isShown ? (
        <Tr>
          <Td colSpan={5}>
            <DeliveryBody webhookId={webhook.id} delivery={delivery} />
          </Td>
        </Tr>
      ) : null}
    </>
  )
}

/** Sent and waiting messages of a webhook, newest first. */
export const WebhookLog = ({ webhook }: { webhook: WebhookDto }) => {
  const log = useQuery(webhookLogOptions({ id: webhook.id }))
  if (log.isPending) return <Skeleton className="h-24" />
  if (log.data === undefined) return <LoadProblem query={log} what="The log" />
  const { deliveries, more } = log.data
  if (deliveries.length === 0) return <p className="text-ink2">No messages yet.</p>
  return (
    <section aria-label={`Log of ${webhook.name}`} className="mt-1">
      <SideScroll>
        <Table>
          <thead>
            <tr>
              <Th>Time</Th>
              <Th>Event</Th>
              <Th>Outcome</Th>
              <Th isNumber>Attempts</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map((delivery) => (
              <LogRow key={delivery.id} webhook={webhook} delivery={delivery} />
            ))}
          </tbody>
        </Table>
      </SideScroll>
      <p className="mt-1.5 text-ink3 text-small">
        {more > 0 ? `and ${formatCount(more)} older. ` : ''}The log contains the last 30 days, at most 500
        messages.
      </p>
    </section>
  )
}
