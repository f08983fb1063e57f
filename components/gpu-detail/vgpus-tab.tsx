import type { GpuDetail } from '@/lib/schemas/api/gpu'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { FunctionsPanel } from './functions-panel'
import { GpuInstancesPanel } from './gpu-instances-panel'
import { GuestsPanel } from './guests-panel'
import { MdevsPanel } from './mdevs-panel'
import { TypeCatalog } from './type-catalog'

/** The vGPUs of a pGPU, their users, and the types that it supports. */
export const VgpusTab = ({
  gpu,
  cloud,
  sources,
}: {
  gpu: GpuDetail
  cloud: string | null
  sources: GpuSources | undefined
}) => (
  <div className="flex min-w-0 flex-col gap-3">
    <GuestsPanel gpu={gpu} sources={sources} />
    <GpuInstancesPanel gpu={gpu} />
    <MdevsPanel gpu={gpu} cloud={cloud} />
    <TypeCatalog gpu={gpu} cloud={cloud} />
    <FunctionsPanel gpu={gpu} />
  </div>
)
