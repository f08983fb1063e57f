import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { GpuHeadroomPage } from '@/components/gpu-headroom/gpu-headroom-page'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import { gpuHeadroomPages } from '@/lib/api/gpu-headroom'
import { prefetch, prefetchPages, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { HEADROOM_STATES } from '@/lib/schemas/choices'
import { pageContext } from '@/lib/server/http/page-context'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'
import { listGpuHeadroom } from '@/lib/services/gpu-headroom/list-gpu-headroom'
import { inTime } from '@/lib/util/in-time'

/** After that the page comes without the list, which the browser then requests. */
const PATIENCE_MS = 300

export const metadata: Metadata = { title: 'Headroom for GPUs' }

type SearchParams = Record<string, string | string[] | undefined>

const Page = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams
  const scope = pageScope(params)
  const text = (name: string): string => [params[name]].flat()[0] ?? ''
  const question = {
    ...scope,
    q: text('q').trim(),
    state: HEADROOM_STATES.find((state) => state === text('state')) ?? null,
    on: text('on'),
  }
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetchPages(gpuHeadroomPages.options(question), () =>
      inTime(PATIENCE_MS, listGpuHeadroom(ctx, gpuHeadroomPages.firstPage(question))),
    ),
    prefetch(cloudReadingOptions(scope), () => getCloudReading(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <GpuHeadroomPage />
    </HydrationBoundary>
  )
}

export default Page
