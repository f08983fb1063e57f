import { splitOf } from '@/lib/domain/nova-config/cpu-options'
import { parseCpuSet } from '@/lib/domain/nova-config/cpu-set'
import type { GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { DEFAULT_OPTIONS } from '@/simulator/openstack/compute/root-inventory'

/**
 * The CPUs that a guest with `hw:cpu_policy=dedicated` gets: of one NUMA node, that of its card where it has one. Null: no node
 * has them free, where Nova's NUMATopologyFilter leaves the host out.
 */
export const pinGuest = (
  spec: HostSpec,
  guest: GuestSpec,
  cardNode: number | null,
): NonNullable<GuestSpec['pinned']> | null => {
  const all = new Set(spec.numaNodes.flatMap(({ cpus }) => [...parseCpuSet(cpus)]))
  const { dedicated } = splitOf(spec.nova.cpu ?? DEFAULT_OPTIONS, all)
  const taken = new Set(spec.guests.flatMap(({ pinned }) => pinned?.cpus ?? []))
  const usedMib = (node: number): number =>
    spec.guests.reduce((sum, { pinned, memoryMib }) => sum + (pinned?.node === node ? memoryMib : 0), 0)
  for (const { id, cpus, memoryMib } of spec.numaNodes) {
    if (cardNode !== null && cardNode !== id) continue
    const free = [...parseCpuSet(cpus)].filter((cpu) => dedicated.has(cpu) && !taken.has(cpu))
    if (free.length >= guest.vcpus && memoryMib - usedMib(id) >= guest.memoryMib)
      return { node: id, cpus: free.slice(0, guest.vcpus) }
  }
  return null
}
