import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { GpuServersPage } from '@/components/gpu-server/gpu-servers-page'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import { gpuServerPages } from '@/lib/api/gpu-servers'
import { prefetch, prefetchPages, prefetchState } from '@/lib/api/prefetch'
import { listChoice, listQuestion, type SearchParams } from '@/lib/schemas/api/list-query'
import { pageScope } from '@/lib/schemas/api/scope'
import { GPU_SERVER_LIST } from '@/lib/schemas/choices'
import { pageContext } from '@/lib/server/http/page-context'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'
import { listGpuServers } from '@/lib/services/gpu-server/list-gpu-servers'
import { inTime } from '@/lib/util/in-time'

export const metadata: Metadata = { title: 'Servers' }

/** After that the page comes without the list, which the browser then requests. */
const PATIENCE_MS = 300

const Page = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams
  const scope = pageScope(params)
  const question = listQuestion(scope.cloud, listChoice(GPU_SERVER_LIST, params))
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetchPages(gpuServerPages.options(question), () =>
      inTime(PATIENCE_MS, listGpuServers(ctx, gpuServerPages.firstPage(question))),
    ),
    prefetch(cloudReadingOptions(scope), () => getCloudReading(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <GpuServersPage />
    </HydrationBoundary>
  )
}

export default Page
