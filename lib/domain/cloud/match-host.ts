import { shortName } from '@/lib/util/short-name'
import type { Match } from './fleet-types'
import type { CloudFacts, ComputeService, Hypervisor, PartReading, ResourceProvider } from './types'

const matched = <Value>(value: Value, note: string | null): Match<Value> => ({
  state: 'matched',
  value,
  note,
  because: null,
})

const missed = <Value>(state: 'absent' | 'ambiguous' | 'unknown', because: string): Match<Value> => ({
  state,
  value: null,
  note: null,
  because,
})

/** Whether one of two names may be the other with a domain behind it: `cmp-01` and `cmp-01.example.org`. */
const areSameButDomain = (a: string, b: string): boolean =>
  shortName(a) === shortName(b) && (!a.includes('.') || !b.includes('.'))

/** Finds by name: as written, then in any case, then with the domain left off; two candidates are an ambiguity. */
const findByName = <Value>(
  values: readonly Value[],
  { name, nameOf, what }: { name: string; nameOf: (value: Value) => string; what: string },
): Match<Value> => {
  const inAnyCase = values.filter((value) => nameOf(value).toLowerCase() === name.toLowerCase())
  const exact = inAnyCase.find((value) => nameOf(value) === name)
  if (exact !== undefined) return matched(exact, null)
  const similar =
    inAnyCase.length > 0 ? inAnyCase : values.filter((value) => areSameButDomain(nameOf(value), name))
  const [only, ...others] = similar
  if (only === undefined) return missed('absent', `no ${what} is named ${name}`)
  if (others.length > 0)
    return missed(
      'ambiguous',
      `${similar.length} ${what}s could be ${name}: ${similar.slice(0, 3).map(nameOf).join(', ')}`,
    )
  const difference = inAnyCase.length > 0 ? 'case' : 'domain'
  return matched(only, `the ${what} has the name ${nameOf(only)} (other ${difference})`)
}

const unread = <Value>(reading: PartReading<unknown>, what: string): Match<Value> =>
  missed('unknown', `${what} could not be queried: ${reading.error ?? 'no answer yet'}`)

/** The index of names that joining many hosts needs; built once per fleet. */
export type HostIndex = {
  facts: CloudFacts
  servicesByName: ReadonlyMap<string, readonly ComputeService[]>
  hypervisorsByName: ReadonlyMap<string, readonly Hypervisor[]>
  hypervisorsByHost: ReadonlyMap<string, readonly Hypervisor[]>
  rootsByUuid: ReadonlyMap<string, ResourceProvider>
  rootsByName: ReadonlyMap<string, readonly ResourceProvider[]>
}

/** Groups by a key, in the order of the values. */
export const groupBy = <Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): Map<string, Value[]> => {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group === undefined) groups.set(keyOf(value), [value])
    else group.push(value)
  }
  return groups
}

export const indexHosts = (facts: CloudFacts): HostIndex => {
  const hypervisors = facts.hypervisors.value ?? []
  const roots = (facts.providers.value ?? []).filter((provider) => provider.parentUuid === null)
  return {
    facts,
    servicesByName: groupBy(facts.services.value ?? [], (service) => shortName(service.host)),
    hypervisorsByName: groupBy(hypervisors, (entry) => shortName(entry.hypervisorHostname)),
    hypervisorsByHost: groupBy(hypervisors, (entry) => entry.serviceHost.toLowerCase()),
    rootsByUuid: new Map(roots.map((root) => [root.uuid, root])),
    rootsByName: groupBy(roots, (root) => shortName(root.name)),
  }
}

/** The nova-compute service of an agent's host. The agent's name is `[DEFAULT] host` in lower case. */
export const matchService = (index: HostIndex, hostName: string): Match<ComputeService> =>
  index.facts.services.value === null
    ? unread(index.facts.services, "Nova's services")
    : findByName(index.servicesByName.get(shortName(hostName)) ?? [], {
        name: hostName,
        nameOf: (service) => service.host,
        what: 'nova-compute service',
      })

/** The hypervisor of a host: by its service, else by name. Several per service are Ironic's, which has no pGPUs of ours. */
export const matchHypervisor = (
  index: HostIndex,
  { hostName, service }: { hostName: string; service: Match<ComputeService> },
): Match<Hypervisor> => {
  if (index.facts.hypervisors.value === null) return unread(index.facts.hypervisors, "Nova's hypervisors")
  if (service.state === 'ambiguous') return missed('ambiguous', service.because)
  const ofService = index.hypervisorsByHost.get((service.value?.host ?? hostName).toLowerCase()) ?? []
  const [only, ...others] = ofService
  if (only !== undefined && others.length === 0) return matched(only, null)
  if (others.length > 0)
    return missed('ambiguous', `the service of ${hostName} has ${ofService.length} hypervisors`)
  return findByName(index.hypervisorsByName.get(shortName(hostName)) ?? [], {
    name: hostName,
    nameOf: (entry) => entry.hypervisorHostname,
    what: 'hypervisor',
  })
}

/**
 * The root provider of a host: its uuid is the hypervisor's id and its name the hypervisor's name
 * (nova/compute/resource_tracker.py).
 */
export const matchRoot = (
  index: HostIndex,
  { hostName, hypervisor }: { hostName: string; hypervisor: Match<Hypervisor> },
): Match<ResourceProvider> => {
  if (index.facts.providers.value === null)
    return unread(index.facts.providers, "Placement's resource providers")
  if (hypervisor.state === 'ambiguous') return missed('ambiguous', hypervisor.because)
  const node = hypervisor.value
  const byUuid = node === null ? undefined : index.rootsByUuid.get(node.id)
  if (byUuid !== undefined)
    return byUuid.name === node?.hypervisorHostname
      ? matched(byUuid, null)
      : matched(
          byUuid,
          `the root provider has the name ${byUuid.name}, the hypervisor ${node?.hypervisorHostname}`,
        )
  const name = node?.hypervisorHostname ?? hostName
  const byName = findByName(index.rootsByName.get(shortName(name)) ?? [], {
    name,
    nameOf: (root) => root.name,
    what: 'root provider',
  })
  if (byName.state !== 'matched' || node === null) return byName
  return matched(
    byName.value,
    `the root provider ${byName.value.name} has the uuid ${byName.value.uuid}, the hypervisor the id ${node.id}`,
  )
}
