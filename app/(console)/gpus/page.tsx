import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { GpusPage } from '@/components/gpus/gpus-page'
import { freshnessOptions } from '@/lib/api/freshness'
import { gpuListOptions } from '@/lib/api/gpus'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getFreshness } from '@/lib/services/freshness/get-freshness'
import { listFewGpus } from '@/lib/services/gpu/list-gpus'

export const metadata: Metadata = { title: 'GPUs' }

const Page = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(gpuListOptions(scope), () => listFewGpus(ctx, scope)),
    prefetch(freshnessOptions(scope), () => getFreshness(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <GpusPage />
    </HydrationBoundary>
  )
}

export default Page
