import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { ResourceProvider } from '@/lib/domain/cloud/types'
import { readCpuOptions, splitOf } from '@/lib/domain/nova-config/cpu-options'
import { parseCpuSet } from '@/lib/domain/nova-config/cpu-set'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { oncePer } from '@/lib/util/once-per'
import { PLAIN_NAMES, type PlainAmounts, type PlainName } from './plain-needs'

/** One resource class of a compute node in Placement; the capacity includes reservations and ratio. */
export type HeadroomLine = {
  name: PlainName
  capacity: number
  used: number
  free: number
  /** What one server may take at most (max_unit); left out where that is all of the capacity or not known. */
  max?: number
}

/**
 * CPU, memory and disk of a root provider; classes without an inventory are left out. `maxVcpu`: the VCPU that one
 * server may use at most, if Placement has not reported it.
 */
export const headroomLines = (
  { inventories }: Pick<ResourceProvider, 'inventories'>,
  maxVcpu: number | null = null,
): HeadroomLine[] =>
  PLAIN_NAMES.flatMap((name) => {
    const found = inventories?.[name]
    if (found === undefined) return []
    const { capacity, used } = found
    const max = found.maxUnit ?? (name === 'VCPU' ? maxVcpu : null)
    const bound = max === null || max >= capacity ? {} : { max }
    return [{ name, capacity, used, free: Math.max(0, capacity - used), ...bound }]
  })

/**
 * Placement's max_unit of VCPU is the number of CPUs that nova-compute has, so a server gets no more
 * (nova/virt/libvirt/driver.py update_provider_tree). Reading rounds do not request inventories of compute nodes, so the
 * agent's number is used. Null: the agent does not report it.
 */
const maxVcpuOf = oncePer((inventory: Inventory): number | null => {
  const { numaNodes } = inventory.host
  if (inventory.novaConfig === null || numaNodes === null) return null
  const cpus = new Set(numaNodes.flatMap((node) => [...parseCpuSet(node.cpus)]))
  const { shared } = splitOf(readCpuOptions(inventory.novaConfig), cpus)
  return shared.size === 0 ? null : shared.size
})

/** CPU, memory and disk of a host; none without a root provider. */
export const hostLines = (joined: JoinedHost): HeadroomLine[] =>
  joined.root.value === null ? [] : headroomLines(joined.root.value, maxVcpuOf(joined.host.inventory))

/** Whether one server of a size needs more of a class than a single server may have. */
export const isTooMuch = ({ name, max }: HeadroomLine, needs: PlainAmounts): boolean =>
  max !== undefined && needs[name] > max

/** Servers of one size that still fit. Disk without a line is shared storage and is not counted. */
export const headroomFor = (lines: readonly HeadroomLine[], needs: PlainAmounts): number =>
  Math.min(
    Number.MAX_SAFE_INTEGER,
    ...PLAIN_NAMES.flatMap((name) => {
      if (needs[name] === 0) return []
      const line = lines.find((entry) => entry.name === name)
      if (line === undefined) return name === 'DISK_GB' ? [] : [0]
      return [isTooMuch(line, needs) ? 0 : Math.floor(line.free / needs[name])]
    }),
  )

/** Classes of which lines have not enough for one server. */
export const shortOf = (lines: readonly HeadroomLine[], needs: PlainAmounts): PlainName[] =>
  PLAIN_NAMES.filter((name) => {
    const line = lines.find((entry) => entry.name === name)
    if (needs[name] === 0 || (line === undefined && name === 'DISK_GB')) return false
    return line === undefined || isTooMuch(line, needs) || line.free < needs[name]
  })

/** Lines once one more server of a size runs there. */
export const afterOne = (lines: readonly HeadroomLine[], needs: PlainAmounts): HeadroomLine[] =>
  lines.map((line) => ({
    ...line,
    used: line.used + needs[line.name],
    free: Math.max(0, line.free - needs[line.name]),
  }))
