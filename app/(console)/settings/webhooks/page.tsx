import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { WebhooksPage } from '@/components/webhook/webhooks-page'
import { freshnessOptions } from '@/lib/api/freshness'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { webhookListOptions } from '@/lib/api/webhooks'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getFreshness } from '@/lib/services/fleet/get-freshness'
import { listWebhooks } from '@/lib/services/webhook/list-webhooks'

export const metadata: Metadata = { title: 'Webhooks' }

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(webhookListOptions(scope), () => listWebhooks(ctx, scope)),
    prefetch(freshnessOptions(scope), () => getFreshness(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <WebhooksPage />
    </HydrationBoundary>
  )
}

export default Page
