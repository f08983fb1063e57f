import { gpuOfVgpu } from '@/simulator/host/host-lookup'
import type { GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import type { Cloud } from '../cloud'
import { providerNamed } from '../placement/placement-state'
import { hypervisorHostname, mdevProviderName, pciProviderName } from './compute-host'
import { pciPools } from './device-specs'

/** Amounts by class, by the provider's uuid. */
export type Allocations = Map<string, Map<string, number>>

/** What Nova reserves on disk for every server of the demo. */
export const SERVER_DISK_GIB = 40

const deviceProviders = (spec: HostSpec, guest: GuestSpec): string[] => [
  ...guest.mdevs.flatMap((uuid) => {
    const slot = gpuOfVgpu(spec, uuid)?.vgpu.slot
    return slot === undefined ? [] : [mdevProviderName(spec, slot)]
  }),
  ...guest.pciDevices.flatMap((device) =>
    pciPools(spec)
      .filter(({ devices }) => devices.includes(device))
      .map(({ address }) => pciProviderName(spec, address)),
  ),
]

/** What a guest holds in Placement: CPU, memory and disk of the root, its devices of their providers. */
export const allocationsOf = (
  cloud: Cloud,
  spec: HostSpec,
  guest: GuestSpec,
  cpus: 'VCPU' | 'PCPU' = 'VCPU',
): Allocations => {
  const held: Allocations = new Map()
  const take = (providerName: string, resources: [name: string, amount: number][]): void => {
    const provider = providerNamed(cloud.placement, providerName)
    if (provider === undefined) return
    const sums = held.get(provider.uuid) ?? new Map<string, number>()
    for (const [name, amount] of resources) sums.set(name, (sums.get(name) ?? 0) + amount)
    held.set(provider.uuid, sums)
  }
  take(hypervisorHostname(spec), [
    [cpus, guest.vcpus],
    ['MEMORY_MB', guest.memoryMib],
    ['DISK_GB', SERVER_DISK_GIB],
  ])
  for (const name of deviceProviders(spec, guest)) {
    const [resourceClass] = providerNamed(cloud.placement, name)?.inventories.keys() ?? []
    if (resourceClass !== undefined) take(name, [[resourceClass, 1]])
  }
  return held
}
