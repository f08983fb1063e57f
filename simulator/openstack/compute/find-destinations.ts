import { type DeviceChoice, deviceChoices } from '@/simulator/host/choose-device'
import { isSliced } from '@/simulator/host/host-lookup'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { isUp, specOf, type WorldHost, type WorldView } from '@/simulator/world/world-host'
import type { Cloud } from '../cloud'
import { isServiceUp, type ServerFlavor } from '../nova/nova-state'
import { findCandidates } from '../placement/candidates/find-candidates'
import { mdevProviderName } from './compute-host'
import { pciPools } from './device-specs'
import { requestOfFlavor } from './flavor-request'

/** Where the scheduler would put a server: mdev parents, one for each vGPU, and a PCI device where an alias requests one. */
export type Destination = { host: WorldHost; slots: string[]; pci: DeviceChoice | null }

const slotsOf = (cloud: Cloud, spec: HostSpec, allocations: Map<string, Map<string, number>>): string[] => {
  const slotByName = new Map(
    spec.gpus
      .filter(isSliced)
      .flatMap(({ slicing }) => slicing.state.slots.map((slot) => [mdevProviderName(spec, slot), slot])),
  )
  return [...allocations].flatMap(([uuid, resources]) => {
    const slot = slotByName.get(cloud.placement.providers.get(uuid)?.name ?? '')
    const count = [...resources.values()].reduce((sum, amount) => sum + amount, 0)
    return slot === undefined ? [] : Array.from({ length: count }, () => slot)
  })
}

type Alias = { name: string; resource_class?: string; product_id?: string }

const aliasNamed = (spec: HostSpec, name: string): Alias | undefined =>
  (spec.nova.sections.pci ?? [])
    .flatMap((line) => {
      const text = /^alias\s*=\s*(\{.*\})$/.exec(line)?.[1]
      // nova-compute has accepted it at its start.
      return text === undefined ? [] : [JSON.parse(text) as Alias]
    })
    .find((alias) => alias.name === name)

const pciChoice = ({ living, fleet }: WorldHost, name: string): DeviceChoice | null => {
  const spec = living.spec()
  const alias = aliasNamed(spec, name)
  if (alias === undefined) return null
  const isMeant = (choice: DeviceChoice): boolean => {
    if (choice.kind === 'whole') return choice.gpu.ids.device === alias.product_id
    const pool = pciPools(spec).find(({ devices }) => devices.includes(choice.slot))
    return pool !== undefined && pool.resourceClass === alias.resource_class
  }
  return deviceChoices(spec, fleet.plan).find(isMeant) ?? null
}

const isSchedulable = (cloud: Cloud, host: WorldHost): boolean => {
  const compute = cloud.nova.computes.find((each) => each.host === host.living.name)
  const isOn = compute !== undefined && !compute.isDisabled
  return isOn && isUp(host) && isServiceUp(compute, cloud.now().getTime())
}

/** nova/scheduler/request_filter.py isolate_aggregates: those with a required trait that the flavor does not require. */
const barredFrom = ({ nova }: Cloud, { extraSpecs }: ServerFlavor): string[] =>
  nova.isIsolatingAggregates
    ? nova.aggregates
        .filter(({ metadata }) =>
          Object.entries(metadata).some(
            ([key, value]) =>
              key.startsWith('trait:') && value === 'required' && extraSpecs[key] !== 'required',
          ),
        )
        .map(({ uuid }) => uuid)
    : []

const AGGREGATE_SCOPE = 'aggregate_instance_extra_specs:'

/** nova/scheduler/filters/aggregate_instance_extra_specs.py, of plain values: keys of its scope, and keys without any. */
const hasProperties = ({ nova }: Cloud, name: string, { extraSpecs }: ServerFlavor): boolean => {
  const own = nova.aggregates.filter(({ hosts }) => hosts.includes(name))
  return Object.entries(extraSpecs).every(([key, value]) => {
    if (key.includes(':') && !key.startsWith(AGGREGATE_SCOPE)) return true
    const property = key.startsWith(AGGREGATE_SCOPE) ? key.slice(AGGREGATE_SCOPE.length) : key
    return own.some(({ metadata }) => metadata[property]?.split(',').some((part) => part.trim() === value))
  })
}

/** Hosts that Placement and the scheduler's filters leave for a flavor, one place for each. */
export const findDestinations = (
  { cloud, view }: { cloud: Cloud; view: WorldView },
  { flavor, wanted, except }: { flavor: ServerFlavor; wanted: string | null; except: string | null },
): Destination[] => {
  const computes = new Map(cloud.nova.computes.map((compute) => [compute.uuid, compute]))
  const rootUuid = cloud.nova.computes.find(({ host }) => host === wanted)?.uuid ?? null
  const alias = /^([^:]+):\d+$/.exec(flavor.extraSpecs['pci_passthrough:alias'] ?? '')?.[1] ?? null
  const destinations = new Map<string, Destination>()
  for (const candidate of findCandidates(
    cloud.placement,
    requestOfFlavor(flavor, rootUuid, barredFrom(cloud, flavor)),
  )) {
    const name = computes.get(candidate.rootUuid)?.host
    const host = view.hosts.find(({ living }) => living.name === name)
    if (host === undefined || name === undefined || name === except || destinations.has(name)) continue
    if ((wanted !== null && name !== wanted) || !isSchedulable(cloud, host)) continue
    if (!hasProperties(cloud, name, flavor)) continue
    const pci = alias === null ? null : pciChoice(host, alias)
    if (alias !== null && pci === null) continue
    destinations.set(name, { host, pci, slots: slotsOf(cloud, specOf(host), candidate.allocations) })
  }
  return [...destinations.values()]
}
