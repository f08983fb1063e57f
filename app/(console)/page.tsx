import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { OverviewPage } from '@/components/overview/overview-page'
import { freshnessOptions } from '@/lib/api/freshness'
import { overviewOptions } from '@/lib/api/overview'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getFreshness } from '@/lib/services/fleet/get-freshness'
import { getOverview } from '@/lib/services/overview/get-overview'

export const metadata: Metadata = { title: 'Overview' }

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(overviewOptions(scope), () => getOverview(ctx, scope)),
    prefetch(freshnessOptions(scope), () => getFreshness(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <OverviewPage />
    </HydrationBoundary>
  )
}

export default Page
