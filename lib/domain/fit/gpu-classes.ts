import type { Fleet, GpuProvider } from '@/lib/domain/cloud/fleet-types'
import { handedOutDevices } from '@/lib/domain/cloud/handed-out'
import type { ResourceProvider, Server } from '@/lib/domain/cloud/types'
import { oncePer } from '@/lib/util/once-per'
import { type FlavorRequest, gpuAmounts, readFlavorRequest } from './flavor-request'

/** Resource classes of a cloud by what offers them. */
type ClassesOfCloud = {
  /** Of providers of GPUs, and those that nova.conf of a host gives to GPUs. */
  gpu: ReadonlySet<string>
  /** Of any other provider: bare metal nodes, licenses, other accelerators. */
  other: ReadonlySet<string>
}

const classesOfCloud = oncePer((fleet: Fleet): ClassesOfCloud => {
  const gpu = new Set<string>()
  const other = new Set<string>()
  const uuids = new Set<string>()
  const addAll = (classes: Set<string>, { inventories }: Pick<ResourceProvider, 'inventories'>): void => {
    for (const name of Object.keys(inventories ?? {})) classes.add(name)
  }
  const addGpus = (providers: readonly GpuProvider[]): void => {
    for (const { provider } of providers) {
      uuids.add(provider.uuid)
      addAll(gpu, provider)
    }
  }
  for (const joined of fleet.hosts) {
    for (const { providers } of joined.pgpus) addGpus(providers)
    addGpus(joined.strays)
    for (const { mdevClass } of joined.nova?.mdev.types ?? []) if (mdevClass != null) gpu.add(mdevClass)
    for (const { offer } of handedOutDevices(joined))
      if (offer.resourceClass != null) gpu.add(offer.resourceClass)
  }
  for (const { providers } of fleet.unseen) addGpus(providers)
  for (const provider of fleet.providers.values()) if (!uuids.has(provider.uuid)) addAll(other, provider)
  return { gpu, other }
})

/** Ironic's flavors take CPU, memory and disk to 0 (ironic documentation, Flavor configuration). */
const isBareMetal = ({ groups }: FlavorRequest): boolean =>
  groups.every(({ resources }) => ['VCPU', 'PCPU', 'MEMORY_MB'].every((name) => (resources[name] ?? 0) === 0))

/** Whether a class that exists in this cloud is one of GPUs: a provider of a GPU has it, or nova.conf gives it to GPUs. */
export const isGpuClassIn = (fleet: Fleet, name: string): boolean =>
  name === 'VGPU' || name === 'PGPU' || classesOfCloud(fleet).gpu.has(name)

/**
 * The classes of GPUs that a flavor requests in this cloud, with the amount over all groups. A custom class is one of GPUs when
 * a provider of a GPU has it. A class that no provider has may be a misspelled one of GPUs, but not that of a bare metal flavor.
 */
export const gpuAmountsIn = (fleet: Fleet, request: FlavorRequest): Map<string, number> => {
  const { other } = classesOfCloud(fleet)
  const isOfGpus = (name: string): boolean =>
    isGpuClassIn(fleet, name) || (!other.has(name) && !isBareMetal(request))
  return new Map([...gpuAmounts(request)].filter(([name]) => isOfGpus(name)))
}

/** GPUs in amounts by resource class, such as those of an allocation. */
export const gpusIn = (fleet: Fleet, resources: Readonly<Record<string, number>>): number =>
  Object.entries(resources).reduce((sum, [name, amount]) => sum + (isGpuClassIn(fleet, name) ? amount : 0), 0)

/** GPUs that a server's flavor requests by resource classes. */
export const gpusOfServer = (
  fleet: Fleet,
  { vcpus, memoryMib, diskGib, extraSpecs }: Pick<Server, 'vcpus' | 'memoryMib' | 'diskGib' | 'extraSpecs'>,
): number => {
  const flavor = { vcpus: vcpus ?? 0, memoryMib: memoryMib ?? 0, diskGib: diskGib ?? 0, extraSpecs }
  const request = readFlavorRequest({ ...flavor, ephemeralGib: 0, swapMib: 0 })
  return [...gpuAmountsIn(fleet, request).values()].reduce((sum, amount) => sum + amount, 0)
}

/** Whether a flavor requests a GPU in this cloud: by a class of GPUs, or by the alias of a PCI device. */
export const requestsGpu = (fleet: Fleet, request: FlavorRequest): boolean =>
  request.aliases.length > 0 || gpuAmountsIn(fleet, request).size > 0
