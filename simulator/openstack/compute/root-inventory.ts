import type { HostSpec } from '@/simulator/host-tree/host-spec'
import type { Inventory } from '../placement/placement-state'

/** `0-31,64-95` are 64 CPUs. */
const cpuCount = (ranges: string): number =>
  ranges.split(',').reduce((sum, range) => {
    const [first = '0', last = first] = range.split('-')
    return sum + Number(last) - Number(first) + 1
  }, 0)

const RESERVED_MEMORY_MIB = 8192
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
export const rootInventories = ({ numaNodes }: HostSpec): Map<string, Inventory> => {
  const cpus = numaNodes.reduce((sum, node) => sum + cpuCount(node.cpus), 0)
  const memory = numaNodes.reduce((sum, node) => sum + node.memoryMib, 0)
  return new Map([
    ['VCPU', inventory(cpus, { allocation_ratio: 4 })],
    ['MEMORY_MB', inventory(memory, { reserved: RESERVED_MEMORY_MIB })],
    ['DISK_GB', inventory(DISK_GIB)],
  ])
}

/** What a driver of GPUs reports: all in one unit, nothing reserved, no ratio. */
export const deviceInventory = (total: number): Inventory => inventory(total)
