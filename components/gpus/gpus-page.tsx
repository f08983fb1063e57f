'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { preload } from 'react-dom'
import { CellLegend } from '@/components/gpu/cell-legend'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import { gpuListOptions } from '@/lib/api/gpus'
import type { FirstGpus } from '@/lib/domain/gpu-list/first-list'
import { isCloudRead } from '@/lib/domain/gpu-list/gpu-store'
import { apiPaths } from '@/lib/util/paths'
import { GpuList } from './gpu-list'
import { gpusSub } from './gpus-sub'

/** Rarely shown. */
const StaleBanner = dynamic(() =>
  import('@/components/cloud/stale-banner').then((module) => module.StaleBanner),
)
const FirstUse = dynamic(() => import('./empty-list').then((module) => module.FirstUse))

const Loading = () => (
  <div role="status" aria-label="Loading the pGPUs">
    <Skeleton className="mb-3.5 h-[86px] rounded-panel" />
    <div className="mb-2.5 flex gap-2">
      <Skeleton className="h-7 w-[250px]" />
      <Skeleton className="h-7 w-24" />
      <Skeleton className="h-7 w-24" />
    </div>
    <SkeletonRows rows={16} label="Rows on their way" />
    <CellLegend />
  </div>
)

/** Nothing here follows the address: a key in the filter draws the list again, and not the page around it. */
export const GpusPage = ({
  first,
}: {
  /** What the page draws until the list has come; null: it could not be had. */
  first: FirstGpus | null
}) => {
  const { cloud } = useCloud()
  const { data: whole = null, error, isPending, isFetching, refetch } = useQuery(gpuListOptions({ cloud }))
  // The request for the list starts while the scripts are still loading.
  if (isPending) preload(apiPaths.gpus({ cloud }), { as: 'fetch', crossOrigin: 'anonymous' })
  const data = whole?.data ?? first?.gpus
  const count = whole?.count ?? first?.count
  return (
    <>
      <PageHeader
        title="GPUs"
        sub={
          data === undefined || count === undefined
            ? undefined
            : gpusSub({
                pgpus: count,
                hosts: whole?.data.hosts.length ?? first?.hosts ?? 0,
                isCloudRead: isCloudRead({ data }),
              })
        }
      />
      <StaleBanner />
      <LoadProblem query={{ data, error, isFetching, refetch }} what="The pGPUs" />
      {data === undefined && error === null ? <Loading /> : null}
      {count === 0 ? <FirstUse /> : null}
      {data === undefined || count === 0 ? null : <GpuList whole={whole} first={first} />}
    </>
  )
}
