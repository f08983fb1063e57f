import type { Hypervisor, ResourceProvider } from '@/lib/domain/cloud/types'
import type { IsGpuProvider } from './types'

type ListGpuHostsInput = {
  providers: readonly ResourceProvider[]
  hypervisors: readonly Hypervisor[]
  isGpuProvider: IsGpuProvider
  /** Hosts that agents named. */
  named: readonly string[]
}

/** Names of the nova-compute services whose hosts have GPUs, sorted. */
export const listGpuHosts = (input: ListGpuHostsInput): string[] => {
  const hostByRoot = new Map(input.hypervisors.map((hypervisor) => [hypervisor.id, hypervisor.serviceHost]))
  const known = new Set(hostByRoot.values())
  const roots = new Set(input.providers.filter(input.isGpuProvider).map((provider) => provider.rootUuid))
  const hosts = new Set<string>()
  for (const root of roots) {
    const host = hostByRoot.get(root)
    if (host !== undefined) hosts.add(host)
  }
  // An agent may run where nova-compute has never run; Nova has no servers there.
  for (const host of input.named) if (known.has(host)) hosts.add(host)
  return [...hosts].sort()
}
