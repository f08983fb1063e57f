import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { RequestsPage } from '@/components/quota-request/requests-page'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { quotaRequestListOptions } from '@/lib/api/quota-requests'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { listRequests } from '@/lib/services/quota-request/list-requests'

export const metadata: Metadata = { title: 'Quota requests' }

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(quotaRequestListOptions(scope), () => listRequests(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <RequestsPage />
    </HydrationBoundary>
  )
}

export default Page
