'use client'

import { useMutation } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { parseAsInteger, useQueryState } from 'nuqs'
import { Moment } from '@/components/shell/moment'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Panel } from '@/components/ui/panel'
import { Tag } from '@/components/ui/tag'
import { toast } from '@/components/ui/toast-store'
import { Tooltip } from '@/components/ui/tooltip'
import { deleteWebhookOptions, testWebhookOptions } from '@/lib/api/webhooks'
import { actorLabel } from '@/lib/domain/wording'
import type { WebhookDto, WebhookTest } from '@/lib/schemas/api/webhook'
import { formatNoun } from '@/lib/util/format'
import { FORMAT_LABELS, subscriptionText } from './webhook-labels'
import { WebhookLog } from './webhook-log'

const outcomeOf = ({ failure, status, tookMs }: WebhookTest): string =>
  failure === null
    ? `Delivered: status ${status} in ${tookMs} ms.`
    : `Failed: ${failure}, after ${tookMs} ms.`

/** Sends a test immediately and shows the result. */
const TestWebhook = ({ webhook: { id, name } }: { webhook: WebhookDto }) => {
  const test = useMutation(testWebhookOptions())
  const refusal = useRefusal('webhook.change')
  const isBad = test.isError || (test.data?.failure ?? null) !== null
  const label = `Send test to ${name}`
  if (refusal !== null)
    return (
      <Tooltip content={refusal}>
        <Button size="small" aria-label={label} isUnavailable>
          Send test
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
        {test.isPending ? 'Sending' : 'Send test'}
      </Button>
      <p role="status" className={`order-last basis-full empty:hidden ${isBad ? 'text-bad' : ''}`}>
        {test.isPending || test.data === undefined ? null : outcomeOf(test.data)}
        {test.isError ? test.error.message : null}
      </p>
    </>
  )
}

const WebhookDialog = dynamic(() => import('./webhook-dialog').then((module) => module.WebhookDialog))
const RenewSecret = dynamic(() => import('./renew-secret').then((module) => module.RenewSecret))

const State = ({ webhook: { isEnabled, last } }: { webhook: WebhookDto }) => {
  if (!isEnabled) return <Tag>disabled</Tag>
  if (last === null) return <Tag>not used yet</Tag>
  return last.failure === null ? <Tag tone="accent">delivered</Tag> : <Tag tone="bad">failed</Tag>
}

const Last = ({ webhook: { last, waiting, isEnabled } }: { webhook: WebhookDto }) => (
  <p className="text-ink2 empty:hidden">
    {last === null ? null : (
      <>
        Last delivery <Moment at={last.triedAt} />:{' '}
        {last.failure === null ? (
          <>delivered in {last.tookMs ?? 0} ms.</>
        ) : (
          <span className="text-bad wrap-anywhere">{last.failure}.</span>
        )}
      </>
    )}
    {waiting === 0 ? null : (
      <>
        {' '}
        {formatNoun(waiting, 'message pending', 'messages pending')}
        {isEnabled ? ', retried for up to a day.' : ' until the webhook is enabled, for up to a day.'}
      </>
    )}
  </p>
)

const DeleteWebhook = ({ webhook: { id, name, waiting } }: { webhook: WebhookDto }) => {
  const remove = useMutation(deleteWebhookOptions())
  const refusal = useRefusal('webhook.change')
  const confirm = async () => {
    await remove.mutateAsync({ id })
    toast.done(`The webhook "${name}" is deleted.`)
  }
  return (
    <ConfirmButton
      label="Delete"
      accessibleLabel={`Delete the webhook ${name}`}
      title={`Delete the webhook "${name}"?`}
      confirmLabel="Delete webhook"
      onConfirm={confirm}
      refusal={refusal}
    >
      The webhook and its log are deleted
      {waiting === 0 ? '' : `, including ${formatNoun(waiting, 'pending message')}`}.
    </ConfirmButton>
  )
}

const ForAdmins = ({ webhook }: { webhook: WebhookDto }) => {
  const refusal = useRefusal('webhook.change')
  if (refusal === null)
    return (
      <>
        <WebhookDialog cloud={null} webhook={webhook} />
        <RenewSecret webhook={webhook} />
      </>
    )
  return (
    <Tooltip content={refusal}>
      <Button size="small" aria-label={`Edit webhook ${webhook.name}`} isUnavailable>
        Edit
      </Button>
    </Tooltip>
  )
}

/** One webhook: its events, the result of the last attempt, and its log on demand. */
export const WebhookPanel = ({ webhook }: { webhook: WebhookDto }) => {
  const { id, name, origin, form, madeBy, madeAt } = webhook
  const [shownLog, showLog] = useQueryState('log', parseAsInteger.withOptions({ history: 'push' }))
  const isLogShown = shownLog === id
  return (
    <Panel title={name} note={<span className="wrap-anywhere">{origin}</span>}>
      <div className="flex flex-col gap-1.5">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <State webhook={webhook} />
          <span>
            Events: {subscriptionText(webhook)}, <span className="text-ink2">{FORMAT_LABELS[form]}</span>
          </span>
        </p>
        <Last webhook={webhook} />
        <p className="text-ink3 text-small">
          Added by {actorLabel(madeBy)}, <Moment at={madeAt} />
        </p>
        <div className="mt-1 flex flex-wrap items-start gap-2">
          <TestWebhook webhook={webhook} />
          <Button
            size="small"
            aria-label={`Log of the webhook ${name}`}
            aria-expanded={isLogShown}
            onClick={() => void showLog(isLogShown ? null : id)}
          >
            Log
          </Button>
          <ForAdmins webhook={webhook} />
          <DeleteWebhook webhook={webhook} />
        </div>
        {isLogShown ? <WebhookLog webhook={webhook} /> : null}
      </div>
    </Panel>
  )
}
