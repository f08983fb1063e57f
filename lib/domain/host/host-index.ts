import { moveOccupancy, type OwnOccupancy, readOccupancy } from '@/lib/domain/pgpu/occupants'
import type { Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import { type CardPlaces, readPlaces } from './card-places'
import type { HostChange } from './host-change'

/**
 * Where things of an inventory are found. The host's memory owns it and moves it on from one inventory to the next: copies
 * would be most of what outlives a report.
 */
export type HostIndex = {
  occupancy: OwnOccupancy
  places: CardPlaces
  mdevOf: Map<string, Mdev>
  /** Each function and each mdev stands once, as on any host; else nothing can be told of one without the others. */
  isPlain: boolean
}

const mdevsByUuid = (mdevs: readonly Mdev[]): Map<string, Mdev> =>
  new Map(mdevs.map((mdev) => [mdev.uuid, mdev]))

const isPlain = ({ places, mdevOf }: Omit<HostIndex, 'isPlain'>, { mdevs }: Inventory): boolean =>
  places.isPlain && mdevOf.size === (mdevs?.length ?? 0)

export const readIndex = (inventory: Inventory): HostIndex => {
  const index = {
    occupancy: readOccupancy(inventory),
    places: readPlaces(inventory.gpus),
    mdevOf: mdevsByUuid(inventory.mdevs ?? []),
  }
  return { ...index, isPlain: isPlain(index, inventory) }
}

const isVendorVfio = ({ vendorVfio, virtualFunctions }: Inventory['gpus'][number]): boolean =>
  vendorVfio !== null || virtualFunctions.some((vf) => vf.vendorVfio !== null)

const moveMdevs = (
  mdevOf: HostIndex['mdevOf'],
  { change: { gone, come }, inventory }: { change: HostChange['mdevs']; inventory: Inventory },
): HostIndex['mdevOf'] => {
  for (const { uuid } of gone) mdevOf.delete(uuid)
  for (const mdev of come) mdevOf.set(mdev.uuid, mdev)
  const mdevs = inventory.mdevs ?? []
  // Of several of one uuid the last one stands, wherever it came in.
  return mdevOf.size === mdevs.length ? mdevOf : mdevsByUuid(mdevs)
}

/** Moves an index on to an inventory that differs by the change alone from its own. */
export const moveIndex = (
  index: HostIndex,
  { inventory, change }: { inventory: Inventory; change: HostChange },
): void => {
  const { gone, come } = change.guests
  index.occupancy = moveOccupancy(index.occupancy, { inventory, gone, come })
  // The types that run on VFs are part of it.
  if (change.gpus.some(isVendorVfio)) index.places = readPlaces(inventory.gpus)
  index.mdevOf = moveMdevs(index.mdevOf, { change: change.mdevs, inventory })
  index.isPlain = isPlain(index, inventory)
}
