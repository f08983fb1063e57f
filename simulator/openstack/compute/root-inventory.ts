import { type CpuOptions, splitOf } from '@/lib/domain/nova-config/cpu-options'
import { parseCpuSet } from '@/lib/domain/nova-config/cpu-set'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import type { Inventory } from '../placement/placement-state'

/** The options in nova.conf of the demo's hosts. */
export const DEFAULT_OPTIONS: CpuOptions = {
  shared: null,
  dedicated: null,
  pinSet: null,
  reservedCpus: null,
  reservedMemoryMib: 8192,
}
const DISK_GIB = 7150

const inventory = (total: number, options: Partial<Inventory> = {}): Inventory => ({
  total,
  reserved: 0,
  min_unit: 1,
  max_unit: total,
  step_size: 1,
  allocation_ratio: 1,
  ...options,
})

/** CPU, memory and disk of a host, with the ratios that are Nova's defaults. */
export const rootInventories = ({ numaNodes, nova }: HostSpec): Map<string, Inventory> => {
  const cpus = new Set(numaNodes.flatMap((node) => [...parseCpuSet(node.cpus)]))
  const { shared, dedicated, reservedCpus, reservedMemoryMib } = splitOf(nova.cpu ?? DEFAULT_OPTIONS, cpus)
  const memory = numaNodes.reduce((sum, node) => sum + node.memoryMib, 0)
  return new Map([
    ...(shared.size === 0
      ? []
      : [['VCPU', inventory(shared.size, { allocation_ratio: 4, reserved: reservedCpus })] as const]),
    ...(dedicated.size === 0 ? [] : [['PCPU', inventory(dedicated.size)] as const]),
    ['MEMORY_MB', inventory(memory, { reserved: reservedMemoryMib })] as const,
    ['DISK_GB', inventory(DISK_GIB)] as const,
  ])
}

/** What a driver of GPUs reports: all in one unit, nothing reserved, no ratio. */
export const deviceInventory = (total: number): Inventory => inventory(total)
