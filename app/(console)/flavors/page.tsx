import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { FlavorsPage } from '@/components/flavor/flavors-page'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import { flavorListOptions } from '@/lib/api/flavors'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'
import { listFlavors } from '@/lib/services/flavor/list-flavors'

export const metadata: Metadata = { title: 'Flavors' }

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(flavorListOptions(scope), () => listFlavors(ctx, scope)),
    prefetch(cloudReadingOptions(scope), () => getCloudReading(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <FlavorsPage />
    </HydrationBoundary>
  )
}

export default Page
