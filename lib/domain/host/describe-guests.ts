import type { PgpuFacts } from '@/lib/domain/pgpu/pgpu-facts'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { occupantOf } from './occupants'
import type { DescribedGuest } from './types'

/** Every guest of the host with the pGPUs it holds something of; null when the guests could not be read. */
export const describeGuests = (inventory: Inventory, facts: PgpuFacts[]): DescribedGuest[] | null => {
  const parentOfMdev = new Map((inventory.mdevs ?? []).map((mdev) => [mdev.uuid, mdev.parent]))
  return (
    inventory.guests?.map((guest) => {
      const held = new Set<string | undefined>([
        ...guest.mdevs.map((mdev) => parentOfMdev.get(mdev.uuid)),
        ...guest.pciDevices.map((device) => device.address),
      ])
      const pgpus = facts.filter(
        ({ gpu }) => held.has(gpu.address) || gpu.virtualFunctions.some((vf) => held.has(vf.address)),
      )
      return { ...occupantOf(guest), pgpuAddresses: pgpus.map(({ gpu }) => gpu.address) }
    }) ?? null
  )
}
