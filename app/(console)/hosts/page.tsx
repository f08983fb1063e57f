import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { HostsPage } from '@/components/host/hosts-page'
import { freshnessOptions } from '@/lib/api/freshness'
import { hostListOptions } from '@/lib/api/hosts'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getFreshness } from '@/lib/services/fleet/get-freshness'
import { listHosts } from '@/lib/services/host/list-hosts'

export const metadata: Metadata = { title: 'Hosts' }

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(hostListOptions(scope), () => listHosts(ctx, scope)),
    prefetch(freshnessOptions(scope), () => getFreshness(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <HostsPage />
    </HydrationBoundary>
  )
}

export default Page
