import type { Guest, Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import { type CardPlaces, type HostMemory, recall } from './host-memory'
import { occupantOf } from './occupants'
import type { DescribedGuest, GuestHolding } from './types'

const typeOfMdev = ({ typeId, isActive, definition }: Mdev): string | null =>
  typeId ?? (isActive ? null : (definition?.typeId ?? null))

const byAddressAndType = (a: GuestHolding, b: GuestHolding): number =>
  a.pgpuAddress === b.pgpuAddress
    ? (a.typeId ?? '').localeCompare(b.typeId ?? '', 'en')
    : a.pgpuAddress.localeCompare(b.pgpuAddress, 'en')

/** The order in which a guest's XML names its devices means nothing. */
const holdingsOf = (
  guest: Guest,
  { placeOf, addresses, typeOf }: CardPlaces,
  mdevOf: ReadonlyMap<string, Mdev> | null,
): GuestHolding[] | null => {
  if (mdevOf === null && guest.mdevs.length > 0) return null
  const holdings: GuestHolding[] = []
  const hold = (functionAddress: string | undefined, typeId: string | null): void => {
    const pgpuAddress = addresses[placeOf.get(functionAddress ?? '') ?? -1]
    if (pgpuAddress !== undefined) holdings.push({ pgpuAddress, typeId })
  }
  for (const { uuid } of guest.mdevs) {
    const mdev = mdevOf?.get(uuid)
    if (mdev !== undefined) hold(mdev.parent, typeOfMdev(mdev))
  }
  for (const { address } of guest.pciDevices) hold(address, typeOf.get(address) ?? null)
  return holdings.sort(byAddressAndType)
}

/**
 * Every guest of the host with the pGPUs it holds something of, in the order of the host's GPUs; null when the guests could
 * not be read.
 */
export const describeGuests = (
  inventory: Inventory,
  {
    places,
    mdevOf,
    memory,
  }: {
    places: CardPlaces
    /** Null: the mdevs could not be read. */
    mdevOf: ReadonlyMap<string, Mdev> | null
    memory?: HostMemory | undefined
  },
): DescribedGuest[] | null => {
  const { addresses, placeOf, typeOf } = places
  return (
    inventory.guests?.map((guest) => {
      const mdevs = guest.mdevs.map((mdev) => mdevOf?.get(mdev.uuid))
      const held = [
        ...mdevs.map((mdev) => placeOf.get(mdev?.parent ?? '')),
        ...guest.pciDevices.map((device) => placeOf.get(device.address)),
      ]
      const types = guest.pciDevices.map((device) => typeOf.get(device.address))
      return recall({
        memory: memory?.guests,
        key: guest,
        inputs: [addresses, mdevOf === null, ...mdevs, ...held, ...types],
        read: () => ({
          ...occupantOf(guest),
          pgpuAddresses: addresses.filter((_, place) => held.includes(place)),
          holdings: holdingsOf(guest, places, mdevOf),
        }),
      })
    }) ?? null
  )
}
