import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { HostMemory } from './host-memory'
import { readHost } from './read-host'
import type { HostDescription } from './types'

/**
 * The one reading of a report: every pGPU with its framework, types, numbers, cells and findings, every mdev and guest with
 * the pGPU it belongs to, and the lines of nova.conf. Pure: equal inventories give equal descriptions. Time and memory grow
 * with the size of the report, whatever an odd host puts into it.
 */
export const describeHost = (
  inventory: Inventory,
  /**
   * `hasDetails: false` leaves `cells`, `deviceSpecs` and `rawFacts` empty, of which nothing is stored. With the `memory` of the
   * host what its last inventory has told is not read again: lists, pGPUs, mdevs and guests that did not change are the same
   * objects.
   */
  { hasDetails = true, memory }: { hasDetails?: boolean; memory?: HostMemory | undefined } = {},
): HostDescription => {
  if (memory === undefined || hasDetails) return readHost(inventory, { last: null, hasDetails }).description
  const last = memory.reading
  // An error half-way leaves the index of the last reading between two inventories: then the next one is read whole.
  memory.reading = null
  const reading = readHost(inventory, { last, hasDetails })
  memory.reading = reading
  return reading.description
}
