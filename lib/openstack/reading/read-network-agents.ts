import { isDeepStrictEqual } from 'node:util'
import type { Hypervisor, NetworkAgentCheck } from '@/lib/domain/cloud/types'
import { shortName } from '@/lib/util/short-name'
import type { NetworkAgent, NeutronClient } from '../neutron/create-neutron'
import { OpenStackError } from '../openstack-error'

/** Agents that bind no port of a server (neutron_lib/constants.py AGENT_TYPE_*, neutron/common/ovn/constants.py). */
const OTHER_AGENTS = /dhcp|l3|metadata|metering|loadbalancer|bgp|vpn|firewall|ovn neutron/i

const ADMINS_ONLY = 'By default Neutron lists agents to admins only (policy get_agent).'

/**
 * GPU hosts whose nova-compute has another name than the host itself. Nova binds a port to the name of the nova-compute
 * ([DEFAULT] host), and libvirt reports the name of the host (nova/network/neutron.py, nova/virt/libvirt/host.py get_hostname).
 */
export const listRenamedHosts = (
  hypervisors: readonly Hypervisor[],
  gpuHosts: readonly string[],
): string[] => {
  const withGpus = new Set(gpuHosts)
  const renamed = hypervisors.filter(
    ({ serviceHost, hypervisorHostname }) =>
      withGpus.has(serviceHost) && shortName(serviceHost) !== shortName(hypervisorHostname),
  )
  return [...new Set(renamed.map(({ serviceHost }) => serviceHost))].sort()
}

/** The agents; or why the account cannot list them, for a cloud without Neutron and an account without the permission. */
const listAgents = async (neutron: NeutronClient): Promise<readonly NetworkAgent[] | string> => {
  try {
    const agents = await neutron.listAgents()
    // Without permission Neutron returns an empty list.
    if (agents.length === 0) return `Neutron returned no agents to this account. ${ADMINS_ONLY}`
    return agents
  } catch (error) {
    if (!(error instanceof OpenStackError) || error.service !== 'neutron') throw error
    if (error.status === 403) return `Neutron refused the list of agents (status 403). ${ADMINS_ONLY}`
    const isNotRequested = error.kind === 'refused-endpoint' && error.status === null
    if (isNotRequested) return error.message
    throw error
  }
}

/** Neutron binds a port only to a live agent of the host (neutron/plugins/ml2/drivers/mech_agent.py bind_port). */
const checkHost = (host: string, agents: readonly NetworkAgent[]): NetworkAgentCheck => {
  if (agents.some(({ isAlive }) => isAlive)) return { host, state: 'alive' }
  if (agents.length === 0) return { host, state: 'missing' }
  return { host, state: 'dead', agentTypes: [...new Set(agents.map(({ type }) => type))].sort() }
}

/**
 * The L2 agents of hosts, by one list of Neutron. Neutron is optional: where it is not available to the account, the checks
 * are `unverified`. An unchanged result is the previous one itself. @throws OpenStackError when Neutron fails
 */
export const readNetworkAgents = async ({
  neutron,
  hosts,
  previous,
}: {
  neutron: NeutronClient
  hosts: readonly string[]
  previous: readonly NetworkAgentCheck[] | null
}): Promise<readonly NetworkAgentCheck[]> => {
  const checks = checkHosts(hosts, await listAgents(neutron))
  return previous !== null && isDeepStrictEqual(previous, checks) ? previous : checks
}

const checkHosts = (
  hosts: readonly string[],
  agents: readonly NetworkAgent[] | string,
): NetworkAgentCheck[] => {
  const unverified = (because: string) =>
    hosts.map((host) => ({ host, state: 'unverified' as const, because }))
  if (typeof agents === 'string') return unverified(agents)
  const ofLayer2 = agents.filter(({ type }) => !OTHER_AGENTS.test(type))
  if (ofLayer2.length === 0)
    return unverified('Neutron lists no L2 agent of any host; its mechanism driver may not use agents.')
  const byHost = new Map<string, NetworkAgent[]>(hosts.map((host) => [host, []]))
  for (const agent of ofLayer2) byHost.get(agent.host)?.push(agent)
  return [...byHost].map(([host, own]) => checkHost(host, own))
}
