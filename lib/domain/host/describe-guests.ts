import { occupantOf } from '@/lib/domain/pgpu/occupants'
import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import { vendorTypeId } from '@/lib/domain/vgpu-type/creatable-line'
import type { Guest, Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import type { DescribedGuest, GuestHolding } from './types'

/** What the guests of an inventory are described by. */
type GuestContext = { owners: ReadonlyMap<string, Card>; cards: readonly Card[] }

/** Something that a guest holds of a card. */
type Held = { card: Card; typeId: string | null }

const typeOfMdev = ({ typeId, isActive, definition }: Mdev): string | null =>
  typeId ?? (isActive ? null : (definition?.typeId ?? null))

/** The vGPU types of VFs that run one by vendor VFIO. */
const vendorTypes = (cards: readonly Card[]): ReadonlyMap<string, string> => {
  const types = new Map<string, string>()
  for (const { facts } of cards)
    for (const { address, vendorVfio } of facts.gpu.virtualFunctions) {
      const running = vendorVfio?.currentType ?? 0
      if (running > 0) types.set(address, vendorTypeId(running))
    }
  return types
}

const { compare } = new Intl.Collator('en')

const byAddressAndType = (a: GuestHolding, b: GuestHolding): number =>
  compare(a.pgpuAddress, b.pgpuAddress) || compare(a.typeId ?? '', b.typeId ?? '')

/**
 * Every guest of the host with the pGPUs it holds something of, in the order of the host's GPUs; null when the guests could
 * not be read. The order in which a guest's XML names its devices means nothing.
 */
export const describeGuests = (
  inventory: Inventory,
  { owners, cards }: GuestContext,
): DescribedGuest[] | null => {
  const mdevs = new Map((inventory.mdevs ?? []).map((mdev) => [mdev.uuid, mdev]))
  const types = vendorTypes(cards)
  const heldBy = (guest: Guest): Held[] => {
    const held: Held[] = []
    for (const { uuid } of guest.mdevs) {
      const mdev = mdevs.get(uuid)
      const card = owners.get(mdev?.parent ?? '')
      if (mdev !== undefined && card !== undefined) held.push({ card, typeId: typeOfMdev(mdev) })
    }
    for (const { address } of guest.pciDevices) {
      const card = owners.get(address)
      if (card !== undefined) held.push({ card, typeId: types.get(address) ?? null })
    }
    return held
  }
  const addressesOf = (held: readonly Held[]): string[] => {
    const own = new Set(held.map(({ card }) => card))
    const inOrder = own.size < 2 ? [...own] : cards.filter((card) => own.has(card))
    return inOrder.map(({ pgpu }) => pgpu.address)
  }
  const describe = (guest: Guest): DescribedGuest => {
    const held = heldBy(guest)
    const areHoldingsKnown = inventory.mdevs !== null || guest.mdevs.length === 0
    const holdings = held.map(({ card, typeId }) => ({ pgpuAddress: card.pgpu.address, typeId }))
    return {
      ...occupantOf(guest),
      pgpuAddresses: addressesOf(held),
      holdings: areHoldingsKnown ? holdings.toSorted(byAddressAndType) : null,
    }
  }
  return inventory.guests?.map(describe) ?? null
}
