import type { Fleet, JoinedHost, UnseenHost } from '@/lib/domain/cloud/fleet-types'
import { groupBy } from '@/lib/domain/cloud/match-host'

const TENANT_FILTER = 'filter_tenant_id'

/**
 * The ids of the projects that aggregates keep a host for, by the host's name in lower case; hosts that are for all are not in
 * it. Several aggregates of one host add up. Source: nova/scheduler/filters/aggregate_multitenancy_isolation.py, which reads
 * this key alone and splits it at commas.
 */
const fencedHosts = ({ input }: Fleet): Map<string, Set<string>> => {
  const fenced = new Map<string, Set<string>>()
  for (const { hosts, metadata } of input.facts.aggregates.value ?? []) {
    const ids = metadata[TENANT_FILTER]?.split(',').map((id) => id.trim())
    if (ids === undefined) continue
    for (const host of hosts) {
      const name = host.toLowerCase()
      fenced.set(name, new Set([...(fenced.get(name) ?? []), ...ids]))
    }
  }
  return fenced
}

/** Hosts that the same projects can land on; `projectIds` null: all projects. */
export type FleetPart = {
  projectIds: ReadonlySet<string> | null
  hosts: readonly JoinedHost[]
  unseen: readonly UnseenHost[]
}

/** Every host once, with those that are kept for the same projects. */
export const fleetParts = (fleet: Fleet): FleetPart[] => {
  const fenced = fencedHosts(fleet)
  const nodes = new Map(
    fleet.input.facts.hypervisors.value?.map((node) => [node.hypervisorHostname, node.serviceHost]),
  )
  const keyOf = (service: string): string => {
    const ids = fenced.get(service.toLowerCase())
    return ids === undefined ? '' : JSON.stringify([...ids].toSorted())
  }
  const hosts = groupBy(fleet.hosts, ({ service, host }) => keyOf(service.value?.host ?? host.name))
  const unseen = groupBy(fleet.unseen, ({ hypervisorHostname: node }) => keyOf(nodes.get(node) ?? node))
  return [...new Set([...hosts.keys(), ...unseen.keys()])].map((key) => ({
    projectIds: key === '' ? null : new Set<string>(JSON.parse(key)),
    hosts: hosts.get(key) ?? [],
    unseen: unseen.get(key) ?? [],
  }))
}
