import type { Inventory } from '@/lib/schemas/agent/inventory'
import { type HostMemory, recall } from './host-memory'
import { occupantOf } from './occupants'
import type { DescribedGuest } from './types'

/**
 * Every guest of the host with the pGPUs it holds something of, in the order of the host's GPUs; null when the guests could
 * not be read. `ownerOf`: the place among the host's pGPUs of the card that a function belongs to.
 */
export const describeGuests = (
  inventory: Inventory,
  {
    addresses,
    ownerOf,
    memory,
  }: { addresses: string[]; ownerOf: ReadonlyMap<string, number>; memory?: HostMemory | undefined },
): DescribedGuest[] | null => {
  const parentOfMdev = new Map((inventory.mdevs ?? []).map((mdev) => [mdev.uuid, mdev.parent]))
  return (
    inventory.guests?.map((guest) => {
      const functions = [
        ...guest.mdevs.map((mdev) => parentOfMdev.get(mdev.uuid) ?? ''),
        ...guest.pciDevices.map((device) => device.address),
      ]
      const places = functions.map((address) => ownerOf.get(address))
      return recall({
        memory: memory?.guests,
        key: guest,
        inputs: [...places, ...addresses],
        read: () => ({
          ...occupantOf(guest),
          pgpuAddresses: addresses.filter((_, place) => places.includes(place)),
        }),
      })
    }) ?? null
  )
}
