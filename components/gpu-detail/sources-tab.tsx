import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { RawFactsPanel } from './raw-facts-panel'
import { SourcesPanel } from './sources-panel'

/** What each source reports about a pGPU, and the files of the host. */
export const SourcesTab = ({ gpu, cloud }: { gpu: GpuDetail; cloud: string | null }) => (
  <div className="flex min-w-0 flex-col gap-3">
    <SourcesPanel cloud={cloud} host={gpu.host} address={gpu.address} />
    <RawFactsPanel facts={gpu.rawFacts} />
  </div>
)
