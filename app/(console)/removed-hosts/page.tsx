import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { RemovedHostsPage } from '@/components/host/removed-hosts-page'
import { removedHostsOptions } from '@/lib/api/host-removal'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { listRemovedHosts } from '@/lib/services/host/list-removed-hosts'

export const metadata: Metadata = { title: 'Removed hosts' }

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(removedHostsOptions(scope), () => listRemovedHosts(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <RemovedHostsPage />
    </HydrationBoundary>
  )
}

export default Page
