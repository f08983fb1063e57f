import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { OwnRequestsPage } from '@/components/own-request/own-requests-page'
import { ownRequestListOptions } from '@/lib/api/own-requests'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageContext } from '@/lib/server/http/page-context'
import { listOwnRequests } from '@/lib/services/quota-request/own-requests'

export const metadata: Metadata = { title: 'Quota requests' }

const Page = async () => {
  const ctx = await pageContext()
  const state = await prefetchState([prefetch(ownRequestListOptions(), () => listOwnRequests(ctx))])
  return (
    <HydrationBoundary state={state}>
      <OwnRequestsPage />
    </HydrationBoundary>
  )
}

export default Page
