'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { ManagedTraitsPanel } from '@/components/managed-trait/managed-traits-panel'
import { PageTabs } from '@/components/shell/page-tabs'
import { gpuSourcesOptions } from '@/lib/api/gpu-sources'
import { typeRange } from '@/lib/domain/vgpu-type/type-range'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { GpuCells } from './gpu-cells'
import { GpuFindingsPanel } from './gpu-findings-panel'
import { GpuNumbers } from './gpu-numbers'
import { IdentityPanel } from './identity-panel'
import { InCloudPanel } from './in-cloud-panel'
import { SourceSummary } from './source-summary'
import { disagreementBadge, inUseBadge } from './tab-badges'

type TabProps = { gpu: GpuDetail; cloud: string | null; sources: GpuSources | undefined }

const column = 'flex min-w-0 flex-col gap-3'

const OverviewTab = ({ gpu, cloud, sources }: TabProps) => (
  <div className={column}>
    <GpuFindingsPanel gpu={gpu} sources={sources} cloud={cloud} />
    <GpuCells gpu={gpu} cloud={cloud} />
    <div className="-mb-3.5">
      <GpuNumbers
        numbers={gpu.numbers}
        range={gpu.currentType === null ? typeRange(gpu.supportedTypes ?? []) : null}
        isWhole={gpu.framework === 'passthrough'}
      />
    </div>
    <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-2">
      <div className={column}>
        {sources === undefined ? null : <SourceSummary sources={sources} />}
        <IdentityPanel gpu={gpu} />
      </div>
      <div className={column}>
        {sources === undefined || sources.sources === null ? null : (
          <InCloudPanel sources={sources.sources} />
        )}
        <ManagedTraitsPanel
          cloud={cloud}
          host={gpu.host}
          address={gpu.address}
          typeId={gpu.currentType?.typeId ?? null}
        />
      </div>
    </div>
  </div>
)

/** The scripts of the other tabs load when a tab is chosen. */
const VgpusTab = dynamic(() => import('./vgpus-tab').then((module) => module.VgpusTab))
const SourcesTab = dynamic(() => import('./sources-tab').then((module) => module.SourcesTab))
const HistoryTab = dynamic(() =>
  import('@/components/capacity/history-tab').then((module) => module.HistoryTab),
)

/** Everything that a host and the cloud report about a pGPU, by question. */
export const GpuTabs = ({ gpu, cloud }: { gpu: GpuDetail; cloud: string | null }) => {
  const { data: sources } = useQuery(gpuSourcesOptions({ cloud, host: gpu.host, address: gpu.address }))
  const props = { gpu, cloud, sources }
  return (
    <PageTabs
      label="GPU"
      tabs={[
        { value: 'overview', label: 'Overview', content: <OverviewTab {...props} /> },
        { value: 'vgpus', label: 'vGPUs', badge: inUseBadge(gpu), content: <VgpusTab {...props} /> },
        {
          value: 'sources',
          label: 'Sources',
          badge: disagreementBadge(sources),
          content: <SourcesTab {...props} />,
        },
        {
          value: 'history',
          label: 'History',
          content: (
            <HistoryTab
              cloud={cloud}
              host={gpu.host}
              address={gpu.address}
              silentSince={gpu.isSilent ? gpu.seenAt : undefined}
            />
          ),
        },
      ]}
    />
  )
}
