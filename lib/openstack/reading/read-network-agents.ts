import type { ComputeService, Hypervisor, NetworkAgentCheck } from '@/lib/domain/cloud/types'
import type { NeutronClient } from '../neutron/create-neutron'
import { OpenStackError } from '../openstack-error'

/** Checks of a cloud by the name of the nova-compute, with the time of each. */
export type NetworkAgentMemory = Map<string, { check: NetworkAgentCheck; atMs: number }>

/** Agents change seldom; one that was added closes its finding within this time. */
const MAX_AGE_MS = 120_000
/** Seldom more than a few names differ. */
const MAX_HOSTS = 50

/** Agents that serve the ports of no server (neutron_lib/constants.py AGENT_TYPE_*). */
const OTHER_AGENTS = /dhcp|l3|metadata|metering|loadbalancer|bgp|vpn|firewall/i

const shortName = (name: string): string => name.toLowerCase().split('.')[0] ?? ''

/**
 * GPU hosts whose nova-compute has another name than the host itself. Nova binds a port to the name of the nova-compute
 * ([DEFAULT] host), and libvirt reports the name of the host (nova/network/neutron.py, nova/virt/libvirt/host.py get_hostname).
 */
const renamedHosts = (hypervisors: readonly Hypervisor[], gpuHosts: readonly string[]): string[] =>
  hypervisors
    .filter(
      ({ serviceHost, hypervisorHostname }) =>
        gpuHosts.includes(serviceHost) && shortName(serviceHost) !== shortName(hypervisorHostname),
    )
    .map(({ serviceHost }) => serviceHost)
    .slice(0, MAX_HOSTS)

const checkHost = async (neutron: NeutronClient, host: string): Promise<NetworkAgentCheck> => {
  try {
    const types = await neutron.listAgentTypes(host)
    if (types.length === 0 && !(await neutron.seesAgents()))
      return { isPresent: null, because: 'Neutron lists no agents to this account' }
    return { isPresent: types.some((type) => !OTHER_AGENTS.test(type)), because: null }
  } catch (error) {
    if (!(error instanceof OpenStackError)) throw error
    return { isPresent: null, because: error.message }
  }
}

/** The services, each that differs in name from its host with what Neutron reports of it. A failure is a part of the answer. */
export const withNetworkAgents = async (
  services: readonly ComputeService[],
  {
    neutron,
    memory,
    hypervisors,
    gpuHosts,
    now,
  }: {
    neutron: NeutronClient
    memory: NetworkAgentMemory
    hypervisors: readonly Hypervisor[]
    gpuHosts: readonly string[]
    now: Date
  },
): Promise<ComputeService[]> => {
  const hosts = renamedHosts(hypervisors, gpuHosts)
  for (const host of hosts) {
    const known = memory.get(host)
    if (known === undefined || now.getTime() - known.atMs >= MAX_AGE_MS)
      memory.set(host, { check: await checkHost(neutron, host), atMs: now.getTime() })
  }
  return services.map((service) =>
    hosts.includes(service.host) ? { ...service, networkAgent: memory.get(service.host)?.check } : service,
  )
}
