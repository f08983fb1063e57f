import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { GpuRoomPage } from '@/components/gpu-room/gpu-room-page'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import { gpuRoomsOptions } from '@/lib/api/gpu-rooms'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'
import { listGpuRooms } from '@/lib/services/gpu-room/list-gpu-rooms'

export const metadata: Metadata = { title: 'Headroom for GPUs' }

type Props = { searchParams: Promise<{ cloud?: string | string[] }> }

const Page = async ({ searchParams }: Props) => {
  const scope = pageScope(await searchParams)
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(gpuRoomsOptions(scope), () => listGpuRooms(ctx, scope)),
    prefetch(cloudReadingOptions(scope), () => getCloudReading(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <GpuRoomPage />
    </HydrationBoundary>
  )
}

export default Page
