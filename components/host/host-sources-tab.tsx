import type { HostDetail } from '@/lib/schemas/api/host'
import { HostPciPanel } from './host-pci-panel'
import { HostProblemsPanel } from './host-problems-panel'
import { NovaConfigPanel } from './nova-config-panel'

/** What the agent could not read, and the configuration that it read. */
export const HostSourcesTab = ({ host, cloud }: { host: HostDetail; cloud: string | null }) => (
  <div className="flex min-w-0 flex-col gap-3">
    <HostProblemsPanel problems={host.problems} />
    <HostPciPanel host={host.name} cloud={cloud} />
    <NovaConfigPanel config={host.novaConfig} />
  </div>
)
