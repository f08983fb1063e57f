import { HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { GpuPage } from '@/components/gpu-detail/gpu-page'
import { gpuDetailOptions } from '@/lib/api/gpu'
import { gpuSourcesOptions } from '@/lib/api/gpu-sources'
import { managedTraitListOptions } from '@/lib/api/managed-traits'
import { prefetch, prefetchState } from '@/lib/api/prefetch'
import { pageScope } from '@/lib/schemas/api/scope'
import { pageContext } from '@/lib/server/http/page-context'
import { getGpu } from '@/lib/services/gpu/get-gpu'
import { getGpuSources } from '@/lib/services/gpu/get-gpu-sources'
import { listManagedTraits } from '@/lib/services/managed-trait/list-managed-traits'

type Props = {
  params: Promise<{ host: string; address: string }>
  searchParams: Promise<{ cloud?: string | string[] }>
}

const readParams = async ({ params }: Props) => {
  const { host, address } = await params
  return { host: decodeURIComponent(host).toLowerCase(), address: decodeURIComponent(address).toLowerCase() }
}

export const generateMetadata = async (props: Props): Promise<Metadata> => {
  const { host, address } = await readParams(props)
  return { title: `${address} on ${host}` }
}

const Page = async (props: Props) => {
  const gpu = await readParams(props)
  const scope = { ...pageScope(await props.searchParams), ...gpu }
  const ctx = await pageContext()
  const state = await prefetchState([
    prefetch(gpuDetailOptions(scope), () => getGpu(ctx, scope)),
    prefetch(gpuSourcesOptions(scope), () => getGpuSources(ctx, scope)),
    prefetch(managedTraitListOptions(scope), () => listManagedTraits(ctx, scope)),
  ])
  return (
    <HydrationBoundary state={state}>
      <GpuPage {...gpu} />
    </HydrationBoundary>
  )
}

export default Page
