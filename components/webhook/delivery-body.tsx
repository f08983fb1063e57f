'use client'

import { useQuery } from '@tanstack/react-query'
import { LoadProblem } from '@/components/shell/load-problem'
import { Skeleton } from '@/components/ui/skeleton'
import { webhookDeliveryOptions } from '@/lib/api/webhooks'
import type { WebhookDelivery } from '@/lib/schemas/api/webhook'

/** What was sent is one line; people read it in several. */
const asLines = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)

/** The last sent body of a delivery. */
export const DeliveryBody = ({ webhookId, delivery }: { webhookId: number; delivery: WebhookDelivery }) => {
  const detail = useQuery(webhookDeliveryOptions({ id: webhookId, delivery: delivery.id }))
  if (detail.isPending) return <Skeleton className="h-24" />
  if (detail.data === undefined) return <LoadProblem query={detail} what="The body" />
  const { body, eventId } = detail.data
  return (
    <>
      <p className="text-ink2 text-small">
        Id <code>{eventId}</code>, the same in every try
      </p>
      {body === null ? (
        <p className="text-ink2">It has not been sent yet.</p>
      ) : (
        <pre className="m-0 max-h-96 max-w-[88ch] overflow-y-auto whitespace-pre-wrap font-mono text-small wrap-anywhere">
          {asLines(body)}
        </pre>
      )}
    </>
  )
}
