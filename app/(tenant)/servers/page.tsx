import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { OwnServersPage } from '@/components/catalog/own-servers-page'
import { ownServersOptions } from '@/lib/api/catalog'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageContext } from '@/lib/server/http/page-context'
import { listOwnServers } from '@/lib/services/catalog/list-own-servers'

export const metadata: Metadata = { title: 'Servers' }

const Page = async () => {
  const ctx = await pageContext()
  const state = await prefetchState([prefetch(ownServersOptions(), () => listOwnServers(ctx))])
  return (
    <HydrationBoundary state={state}>
      <OwnServersPage />
    </HydrationBoundary>
  )
}

export default Page
