'use client'

import { useQuery } from '@tanstack/react-query'
import { SmallHistory } from '@/components/capacity/small-history'
import { ManagedTraitsPanel } from '@/components/managed-trait/managed-traits-panel'
import { PageTabs } from '@/components/shell/page-tabs'
import { UsageDayPanel } from '@/components/utilisation/usage-day-panel'
import { gpuSourcesOptions } from '@/lib/api/gpu-sources'
import { typeRange } from '@/lib/domain/vgpu-type/type-range'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { FunctionsPanel } from './functions-panel'
import { GpuCells } from './gpu-cells'
import { GpuFindingsPanel } from './gpu-findings-panel'
import { GpuInstancesPanel } from './gpu-instances-panel'
import { GpuNumbers } from './gpu-numbers'
import { GuestsPanel } from './guests-panel'
import { IdentityPanel } from './identity-panel'
import { InCloudPanel } from './in-cloud-panel'
import { MdevsPanel } from './mdevs-panel'
import { RawFactsPanel } from './raw-facts-panel'
import { SourceSummary } from './source-summary'
import { SourcesPanel } from './sources-panel'
import { disagreementBadge, inUseBadge } from './tab-badges'
import { TypeCatalog } from './type-catalog'

type TabProps = { gpu: GpuDetail; cloud: string | null; sources: GpuSources | undefined }

const column = 'flex min-w-0 flex-col gap-3'

const OverviewTab = ({ gpu, cloud, sources }: TabProps) => (
  <div className={column}>
    <GpuFindingsPanel gpu={gpu} sources={sources} cloud={cloud} />
    <GpuCells gpu={gpu} cloud={cloud} />
    <GpuNumbers
      numbers={gpu.numbers}
      range={gpu.currentType === null ? typeRange(gpu.supportedTypes ?? []) : null}
      isWhole={gpu.framework === 'passthrough'}
    />
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

const VgpusTab = ({ gpu, cloud, sources }: TabProps) => (
  <div className={column}>
    <GuestsPanel gpu={gpu} sources={sources} />
    <GpuInstancesPanel gpu={gpu} />
    <MdevsPanel gpu={gpu} cloud={cloud} />
    <TypeCatalog gpu={gpu} cloud={cloud} />
    <FunctionsPanel gpu={gpu} />
  </div>
)

const SourcesTab = ({ gpu, cloud }: TabProps) => (
  <div className={column}>
    <SourcesPanel cloud={cloud} host={gpu.host} address={gpu.address} />
    <RawFactsPanel facts={gpu.rawFacts} />
  </div>
)

const HistoryTab = ({ gpu, cloud }: TabProps) => (
  <div className={column}>
    <SmallHistory cloud={cloud} of={{ by: 'pgpu', host: gpu.host, address: gpu.address }} />
    <UsageDayPanel
      cloud={cloud}
      host={gpu.host}
      address={gpu.address}
      silentSince={gpu.isSilent ? gpu.seenAt : undefined}
    />
  </div>
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
        { value: 'history', label: 'History', content: <HistoryTab {...props} /> },
      ]}
    />
  )
}
