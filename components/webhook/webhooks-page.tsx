'use client'

import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import dynamic from 'next/dynamic'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { SettingsNav } from '@/components/shell/settings-nav'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { Tooltip } from '@/components/ui/tooltip'
import { webhookListOptions } from '@/lib/api/webhooks'
import type { WebhookList } from '@/lib/schemas/api/webhook'
import { WebhookPanel } from './webhook-panel'

/** The form's code is fetched apart: most visits only look. */
const WebhookDialog = dynamic(() => import('./webhook-dialog').then((module) => module.WebhookDialog))

const AddWebhook = ({ cloud }: { cloud: string }) => {
  const refusal = useRefusal('webhook.change')
  if (refusal === null) return <WebhookDialog cloud={cloud} />
  return (
    <Tooltip content={refusal}>
      <Button variant="main" isUnavailable>
        <Plus size={14} aria-hidden />
        Add webhook
      </Button>
    </Tooltip>
  )
}

const Webhooks = ({ list: { webhooks, hasLinks } }: { list: WebhookList }) => (
  <div className="flex flex-col gap-3">
    {webhooks.length === 0 ? (
      <EmptyState title="No webhook yet">
        The console sends an HTTP request to a webhook when findings open or are resolved, when a vGPU type is
        exhausted, and when a change completes or stops. Requests contain JSON or the format of Slack and
        Mattermost. Select “Add webhook” to create one.
      </EmptyState>
    ) : (
      webhooks.map((webhook) => <WebhookPanel key={webhook.id} webhook={webhook} />)
    )}
    {hasLinks || webhooks.length === 0 ? null : (
      <p className="text-ink2 text-small">
        Messages contain no links because the address of the console is unknown. Set{' '}
        <code>SLICEBOARD_URL</code>.
      </p>
    )}
  </div>
)

/** Settings → Webhooks: the receivers, their results, and the log. */
export const WebhooksPage = () => {
  const { cloud } = useCloud()
  const list = useQuery(webhookListOptions({ cloud }))
  return (
    <>
      <PageHeader
        title="Webhooks"
        sub={list.data === undefined ? undefined : `of ${list.data.cloud}`}
        actions={list.data === undefined ? null : <AddWebhook cloud={list.data.cloud} />}
      />
      <SettingsNav />
      <LoadProblem query={list} what="The webhooks" />
      {list.isPending ? <Skeleton className="h-40" /> : null}
      {list.data === undefined ? null : <Webhooks list={list.data} />}
    </>
  )
}
