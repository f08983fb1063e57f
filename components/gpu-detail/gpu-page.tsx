'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { OldReport } from '@/components/shell/old-report'
import { PageHeader } from '@/components/shell/page-header'
import { SilentTag } from '@/components/shell/silent-tag'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { useCloud } from '@/components/shell/use-cloud'
import { Skeleton } from '@/components/ui/skeleton'
import { isNotFound } from '@/lib/api/client'
import { gpuDetailOptions } from '@/lib/api/gpu'
import { gpusPath, hostPath } from '@/lib/util/paths'
import { GpuActions } from './gpu-actions'
import { GpuTabs } from './gpu-tabs'

const Pending = () => (
  <div className="flex flex-col gap-3" role="status" aria-label="Loading the pGPU">
    <Skeleton className="h-28" />
    <Skeleton className="h-20" />
    <Skeleton className="h-96" />
  </div>
)

/** One pGPU with everything that its host reports about it. */
export const GpuPage = ({ host, address }: { host: string; address: string }) => {
  const { cloud } = useCloud()
  const query = useQuery(gpuDetailOptions({ cloud, host, address }))
  const { data: gpu, error } = query
  const isMissing = isNotFound(error)
  return (
    <>
      <PageHeader
        title={gpu?.model ?? address}
        sub={
          <>
            {gpu === undefined ? null : (
              <>
                <span className="font-mono text-small">{gpu.address}</span>{' '}
              </>
            )}
            on{' '}
            <Link href={hostPath({ cloud, host })} className="text-accent-ink underline">
              {gpu?.host ?? host}
            </Link>{' '}
            {gpu?.isSilent ? <SilentTag seenAt={gpu.seenAt} /> : null}
          </>
        }
        isSubWhole
        actions={gpu === undefined ? undefined : <GpuActions gpu={gpu} cloud={cloud} />}
      />
      {query.isPending ? <Pending /> : null}
      <SubjectProblem
        query={query}
        subject="pGPU"
        all={{ href: gpusPath({ cloud }), label: 'All GPUs' }}
        what="The pGPU"
      />
      {gpu === undefined || isMissing ? null : (
        <OldReport host={gpu.host} isSilent={gpu.isSilent} seenAt={gpu.seenAt}>
          <GpuTabs gpu={gpu} cloud={cloud} />
        </OldReport>
      )}
    </>
  )
}
