import type { Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import { copyMap } from '@/lib/util/copy-map'
import { type CardPlaces, readPlaces } from './card-places'
import type { HostChange } from './host-change'
import { type Occupancy, occupancyAfter, readOccupancy } from './occupants'

/** Where things of an inventory are found. */
export type HostIndex = {
  occupancy: Occupancy
  places: CardPlaces
  mdevOf: ReadonlyMap<string, Mdev>
  /** Each function and each mdev stands once, as on any host; else nothing can be told of one without the others. */
  isPlain: boolean
}

const mdevsByUuid = (mdevs: readonly Mdev[]): Map<string, Mdev> =>
  new Map(mdevs.map((mdev) => [mdev.uuid, mdev]))

const withPlain = (index: Omit<HostIndex, 'isPlain'>, inventory: Inventory): HostIndex => ({
  ...index,
  isPlain: index.places.isPlain && index.mdevOf.size === (inventory.mdevs?.length ?? 0),
})

export const readIndex = (inventory: Inventory): HostIndex =>
  withPlain(
    {
      occupancy: readOccupancy(inventory),
      places: readPlaces(inventory.gpus),
      mdevOf: mdevsByUuid(inventory.mdevs ?? []),
    },
    inventory,
  )

const isVendorVfio = ({ vendorVfio, virtualFunctions }: Inventory['gpus'][number]): boolean =>
  vendorVfio !== null || virtualFunctions.some((vf) => vf.vendorVfio !== null)

const mdevsAfter = (
  before: HostIndex,
  { gone, come }: HostChange['mdevs'],
  inventory: Inventory,
): HostIndex['mdevOf'] => {
  if (gone.length === 0 && come.length === 0) return before.mdevOf
  const mdevOf = copyMap(before.mdevOf)
  for (const { uuid } of gone) mdevOf.delete(uuid)
  for (const mdev of come) mdevOf.set(mdev.uuid, mdev)
  const mdevs = inventory.mdevs ?? []
  // Of several of one uuid the last one stands, wherever it came in.
  return mdevOf.size === mdevs.length ? mdevOf : mdevsByUuid(mdevs)
}

/** The index of an inventory that differs by the change alone from the one of `before`. */
export const indexAfter = (
  before: HostIndex,
  { inventory, change }: { inventory: Inventory; change: HostChange },
): HostIndex => {
  const { gone, come } = change.guests
  return withPlain(
    {
      occupancy: occupancyAfter(before.occupancy, { inventory, gone, come }),
      // The types that run on VFs are part of it.
      places: change.gpus.some(isVendorVfio) ? readPlaces(inventory.gpus) : before.places,
      mdevOf: mdevsAfter(before, change.mdevs, inventory),
    },
    inventory,
  )
}
