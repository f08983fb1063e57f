import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { VgpuActionsPage } from '@/components/vgpu-action/vgpu-actions-page'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { vgpuActionsOptions } from '@/lib/api/vgpu-actions'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'
import { listVgpuActions } from '@/lib/services/vgpu-action/list-vgpu-actions'

export const metadata: Metadata = { title: 'vGPU support' }

type Props = { searchParams: Promise<{ cloud?: string | string[] }> }

const Page = async ({ searchParams }: Props) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(vgpuActionsOptions(scope), () => listVgpuActions(ctx, scope)),
    prefetch(cloudReadingOptions(scope), () => getCloudReading(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <VgpuActionsPage />
    </HydrationBoundary>
  )
}

export default Page
