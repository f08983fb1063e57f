import type { Inventory } from '@/lib/schemas/agent/inventory'
import { type CardPlaces, type HostMemory, recall } from './host-memory'
import { occupantOf } from './occupants'
import type { DescribedGuest } from './types'

/**
 * Every guest of the host with the pGPUs it holds something of, in the order of the host's GPUs; null when the guests could
 * not be read.
 */
export const describeGuests = (
  inventory: Inventory,
  {
    places: { addresses, placeOf },
    parentOfMdev,
    memory,
  }: {
    places: CardPlaces
    parentOfMdev: ReadonlyMap<string, string>
    memory?: HostMemory | undefined
  },
): DescribedGuest[] | null =>
  inventory.guests?.map((guest) => {
    const held = [
      ...guest.mdevs.map((mdev) => placeOf.get(parentOfMdev.get(mdev.uuid) ?? '')),
      ...guest.pciDevices.map((device) => placeOf.get(device.address)),
    ]
    return recall({
      memory: memory?.guests,
      key: guest,
      inputs: [addresses, ...held],
      read: () => ({
        ...occupantOf(guest),
        pgpuAddresses: addresses.filter((_, place) => held.includes(place)),
      }),
    })
  }) ?? null
