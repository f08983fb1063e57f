'use client'

import { useQuery } from '@tanstack/react-query'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { gpuSourcesOptions } from '@/lib/api/gpu-sources'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { agreementWords } from './source-words'
import { SourcesStack, SourcesTable } from './sources-table'

const NotRead = ({ readAt }: Pick<GpuSources, 'readAt'>) => (
  <Panel title="Four sources">
    <p className="text-ink2">
      {readAt === null
        ? 'Only the host has spoken: connect the cloud in clouds.yaml as docs/operating.md says, and Placement’s and Nova’s word on this pGPU stands here beside it a minute later.'
        : 'The host’s last report has no such pGPU, so there is nothing to hold Placement’s word against.'}
    </p>
  </Panel>
)

/** Hardware, nova.conf, Placement and libvirt values of one pGPU. It loads and fails independently of the page. */
export const SourcesPanel = ({
  cloud,
  host,
  address,
}: {
  cloud: string | null
  host: string
  address: string
}) => {
  const { data, error, isPending, isFetching, refetch } = useQuery(
    gpuSourcesOptions({ cloud, host, address }),
  )
  if (isPending && error === null)
    return (
      <div role="status" aria-label="Loading the four sources" className="max-xl:-order-1">
        <Skeleton className="h-72 rounded-panel" />
      </div>
    )
  return (
    <div className="flex min-w-0 flex-col gap-3 max-xl:-order-1">
      {error === null ? null : (
        <ErrorState
          title={
            data === undefined
              ? 'The four sources could not be loaded'
              : 'The four sources could not be brought up to date'
          }
          error={error}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      )}
      {data === undefined ? null : data.sources === null ? (
        <NotRead readAt={data.readAt} />
      ) : (
        <Panel title="Four sources" note={agreementWords(data.sources)}>
          <SourcesTable sources={data.sources} />
          <SourcesStack sources={data.sources} />
        </Panel>
      )}
    </div>
  )
}
