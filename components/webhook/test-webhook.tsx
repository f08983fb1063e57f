'use client'

import { useMutation } from '@tanstack/react-query'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'
import { testWebhookOptions } from '@/lib/api/webhooks'
import type { WebhookDto, WebhookTest } from '@/lib/schemas/api/webhook'

const outcomeOf = ({ failure, status, tookMs }: WebhookTest): string =>
  failure === null
    ? `Taken: it answered ${status} in ${tookMs} ms.`
    : `Not taken: ${failure}, after ${tookMs} ms.`

/** Sends a test immediately and shows the result. */
export const TestWebhook = ({ webhook: { id, name } }: { webhook: WebhookDto }) => {
  const test = useMutation(testWebhookOptions())
  const refusal = useRefusal('webhook.change')
  const isBad = test.isError || (test.data?.failure ?? null) !== null
  const label = `Send a test to ${name}`
  if (refusal !== null)
    return (
      <Tooltip content={refusal}>
        <Button size="small" aria-label={label} isUnavailable>
          Send a test
        </Button>
      </Tooltip>
    )
  return (
    <>
      <Button
        size="small"
        aria-label={label}
        isUnavailable={test.isPending}
        onClick={() => test.mutate({ id })}
      >
        {test.isPending ? 'Sending' : 'Send a test'}
      </Button>
      <p role="status" className={`order-last basis-full empty:hidden ${isBad ? 'text-bad' : ''}`}>
        {test.isPending || test.data === undefined ? null : outcomeOf(test.data)}
        {test.isError ? test.error.message : null}
      </p>
    </>
  )
}
