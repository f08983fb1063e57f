import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { gpuListing } from '@/components/gpus/gpu-listing'
import { GpusPage } from '@/components/gpus/gpus-page'
import { freshnessOptions } from '@/lib/api/freshness'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getFreshness } from '@/lib/services/fleet/get-freshness'
import { getFirstGpus } from '@/lib/services/gpu/get-first-gpus'

export const metadata: Metadata = { title: 'GPUs' }

type SearchParams = Record<string, string | string[] | undefined>

const Page = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams
  const scope = pageScope(params)
  const ctx = await pageContext()
  const freshness = getFreshness(ctx, scope)
  const [state, first] = await Promise.all([
    prefetchState([prefetch(freshnessOptions(scope), () => freshness)]),
    // After a failure here the browser requests it again, and the page shows the reason.
    freshness
      .then((known) => getFirstGpus(ctx, scope, { listing: gpuListing(params), freshness: known }))
      .catch(() => null),
  ])
  return (
    <HydrationBoundary state={state}>
      <GpusPage first={first} />
    </HydrationBoundary>
  )
}

export default Page
