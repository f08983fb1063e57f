import { occupantOf } from '@/lib/domain/pgpu/occupants'
import type { Guest, Mdev } from '@/lib/schemas/agent/inventory'
import type { CardPlaces } from './card-places'
import type { HostIndex } from './host-index'
import type { HostReading, Since } from './host-reading'
import { carryOver } from './list-change'
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
  mdevOf: HostIndex['mdevOf'],
): GuestHolding[] => {
  const holdings: GuestHolding[] = []
  const hold = (functionAddress: string | undefined, typeId: string | null): void => {
    const pgpuAddress = addresses[placeOf.get(functionAddress ?? '') ?? -1]
    if (pgpuAddress !== undefined) holdings.push({ pgpuAddress, typeId })
  }
  for (const { uuid } of guest.mdevs) {
    const mdev = mdevOf.get(uuid)
    if (mdev !== undefined) hold(mdev.parent, typeOfMdev(mdev))
  }
  for (const { address } of guest.pciDevices) hold(address, typeOf.get(address) ?? null)
  return holdings.toSorted(byAddressAndType)
}

/** Places of cards, each once, in rising order. */
const placesOf = (guest: Guest, { places: { placeOf }, mdevOf }: HostIndex): number[] => {
  const held: number[] = []
  const hold = (functionAddress: string | undefined): void => {
    const place = functionAddress === undefined ? undefined : placeOf.get(functionAddress)
    if (place !== undefined) held.push(place)
  }
  for (const { uuid } of guest.mdevs) hold(mdevOf.get(uuid)?.parent)
  for (const { address } of guest.pciDevices) hold(address)
  return held.length < 2 ? held : [...new Set(held)].sort((a, b) => a - b)
}

const describeGuest = (guest: Guest, index: HostIndex, areMdevsRead: boolean): DescribedGuest => {
  const { places, mdevOf } = index
  // Written out: Node 20 makes an object of a spread and more keys in the old generation, which scavenges do not empty.
  const { guestUuid, guestName, guestState, serverName, flavorName, projectId, projectName, userName } =
    occupantOf(guest)
  return {
    guestUuid,
    guestName,
    guestState,
    serverName,
    flavorName,
    projectId,
    projectName,
    userName,
    pgpuAddresses: placesOf(guest, index).map((place) => places.addresses[place] ?? ''),
    holdings: areMdevsRead || guest.mdevs.length === 0 ? holdingsOf(guest, places, mdevOf) : null,
  }
}

type Parts = Pick<HostReading, 'inventory' | 'basis' | 'index'>

/**
 * Every guest of the host with the pGPUs it holds something of, in the order of the host's GPUs; null when the guests could
 * not be read.
 */
export const describeGuests = (
  { inventory: { guests }, basis: { areMdevsRead }, index }: Parts,
  since: Since | null,
): DescribedGuest[] | null => {
  if (guests === null) return null
  const make = (guest: Guest): DescribedGuest => describeGuest(guest, index, areMdevsRead)
  const before = since?.last.description.guests
  if (since === null || before == null) return guests.map(make)
  const { sources } = since.change.guests
  return carryOver(guests, { sources, before, concerned: since.concern.guests, make })
}
