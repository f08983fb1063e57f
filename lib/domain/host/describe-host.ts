import { describeNovaOptions } from '@/lib/domain/nova-config/describe-options'
import { describePgpu } from '@/lib/domain/pgpu/describe-pgpu'
import { isGpu } from '@/lib/domain/pgpu/is-gpu'
import { readPgpuFacts } from '@/lib/domain/pgpu/pgpu-facts'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { describeGuests } from './describe-guests'
import { describeMdevs } from './describe-mdevs'
import { readNovaView } from './nova-view'
import { readOccupancy } from './occupants'
import type { HostDescription } from './types'

/**
 * The one reading of a report: every pGPU with its framework, types, numbers, cells and findings, every mdev and guest with
 * the pGPU it belongs to, and the lines of nova.conf. Pure: equal inventories give equal descriptions.
 */
export const describeHost = (inventory: Inventory): HostDescription => {
  const nova = readNovaView(inventory)
  const occupancy = readOccupancy(inventory)
  const facts = inventory.gpus.filter(isGpu).map((gpu) => readPgpuFacts({ gpu, inventory, nova, occupancy }))
  return {
    pgpus: facts.map(describePgpu),
    mdevs: describeMdevs({ inventory, occupancy, facts }),
    guests: describeGuests(inventory, facts),
    findings: [],
    novaOptions: inventory.novaConfig === null ? null : describeNovaOptions(inventory.novaConfig),
  }
}
