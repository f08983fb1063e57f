import type { ResourceProvider } from '@/lib/domain/cloud/types'
import type { CpuSplit } from '@/lib/domain/nova-config/cpu-options'
import { type HeadroomLine, headroomLines } from './headroom-lines'

const line = (
  name: HeadroomLine['name'],
  { capacity, used, max = capacity }: Pick<HeadroomLine, 'capacity' | 'used' | 'max'>,
): HeadroomLine => ({
  name,
  capacity,
  used,
  free: Math.max(0, capacity - used),
  ...(max < capacity ? { max } : {}),
})

/**
 * What Placement shows of a compute node once nova-compute has read other CPU sets and reservations. VCPU keeps its ratio,
 * PCPU has none, one server takes no more VCPU than there are CPUs for it, and servers that run keep what they hold, so that a
 * class may be used beyond its capacity.
 */
export const linesAfter = (
  root: Pick<ResourceProvider, 'inventories'>,
  { before, after }: { before: CpuSplit; after: CpuSplit },
): HeadroomLine[] => {
  const now = headroomLines(root)
  const usedOf = (name: HeadroomLine['name']): number => now.find((entry) => entry.name === name)?.used ?? 0
  const vcpu = root.inventories?.VCPU
  const sharedBefore = before.shared.size - before.reservedCpus
  const ratio =
    vcpu?.allocationRatio ?? (vcpu === undefined || sharedBefore <= 0 ? 1 : vcpu.capacity / sharedBefore)
  const memory = root.inventories?.MEMORY_MB
  const memoryRatio = memory?.allocationRatio ?? 1
  const shared = Math.max(0, after.shared.size - after.reservedCpus)
  return [
    ...(shared === 0 && usedOf('VCPU') === 0
      ? []
      : [
          line('VCPU', {
            capacity: Math.floor(shared * ratio),
            used: usedOf('VCPU'),
            max: after.shared.size,
          }),
        ]),
    ...(after.dedicated.size === 0
      ? []
      : [line('PCPU', { capacity: after.dedicated.size, used: usedOf('PCPU') })]),
    ...(memory === undefined
      ? []
      : [
          line('MEMORY_MB', {
            capacity: Math.max(
              0,
              Math.floor(
                memory.capacity + (before.reservedMemoryMib - after.reservedMemoryMib) * memoryRatio,
              ),
            ),
            used: memory.used,
            ...(memory.maxUnit === null ? {} : { max: memory.maxUnit }),
          }),
        ]),
    ...now.filter(({ name }) => name === 'DISK_GB'),
  ]
}
