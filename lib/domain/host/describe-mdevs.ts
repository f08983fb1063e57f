import { typeFactsById } from '@/lib/domain/pgpu/current-type'
import { definitionsGap } from '@/lib/domain/pgpu/definitions-gap'
import { firstHolder, type Occupancy, occupantOf } from '@/lib/domain/pgpu/occupants'
import type { Card, PgpuFacts } from '@/lib/domain/pgpu/pgpu-facts'
import type { Occupant } from '@/lib/domain/pgpu/types'
import type { Vgpu } from '@/lib/domain/pgpu/vgpus'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import type { DescribedMdev, MdevState } from './types'

/** An active mdev has the state of its card's vGPU; of one without a card it is known at least whether it is in use. */
const stateOf = (mdev: Mdev, onCard: MdevState | undefined, isHeld: boolean): MdevState => {
  if (!mdev.isActive) return mdev.definition?.start === 'auto' ? 'returning' : 'defined'
  return onCard ?? (isHeld ? 'used' : 'unknown')
}

/** An mdev without a definition is not defined, unless the definitions of its parent are out of sight. */
const isDefined = (inventory: Inventory, { uuid, parent, definition }: Mdev): boolean | null => {
  if (definition !== null) return true
  if (inventory.problems.length === 0) return false
  return definitionsGap(inventory, { parents: new Set([parent]), uuid }) === null ? false : null
}

const nameOf = (typeId: string, inventory: Inventory, card: PgpuFacts | undefined): string | null => {
  if (card !== undefined) return typeFactsById(card, typeId).name
  const wording = inventory.vgpuTypes.find((type) => type.typeId === typeId)
  return wording === undefined ? null : readTypeFacts(wording).name
}

const occupantOn = (mdev: Mdev, vgpu: Vgpu | undefined, occupancy: Occupancy): Occupant | null => {
  if (vgpu !== undefined) return vgpu.occupant
  const holder = firstHolder(occupancy.byMdev.get(mdev.uuid))
  return holder === null ? (occupancy.byOthers.get(mdev.uuid)?.occupant ?? null) : occupantOf(holder)
}

/** What the mdevs of an inventory are described by. */
type MdevContext = { occupancy: Occupancy; owners: ReadonlyMap<string, Card>; cards: readonly Card[] }

const vgpusByMdev = (cards: readonly Card[]): ReadonlyMap<string, Vgpu> => {
  const vgpus = new Map<string, Vgpu>()
  for (const { facts } of cards)
    for (const vgpu of facts.vgpus) if (vgpu.mdevUuid !== null) vgpus.set(vgpu.mdevUuid, vgpu)
  return vgpus
}

/** Every mdev of the host with its pGPU, state and guest; null when the mdevs could not be read. */
export const describeMdevs = (
  inventory: Inventory,
  { occupancy, owners, cards }: MdevContext,
): DescribedMdev[] | null => {
  const vgpus = vgpusByMdev(cards)
  const describe = (mdev: Mdev): DescribedMdev => {
    const card = owners.get(mdev.parent)?.facts
    const vgpu = vgpus.get(mdev.uuid)
    const typeId = mdev.typeId ?? (mdev.isActive ? null : (mdev.definition?.typeId ?? null))
    const occupant = occupantOn(mdev, vgpu, occupancy)
    const isKnownAsDefined = isDefined(inventory, mdev)
    return {
      uuid: mdev.uuid,
      pgpuAddress: card?.gpu.address ?? null,
      parent: mdev.parent,
      typeId,
      typeName: typeId === null ? null : nameOf(typeId, inventory, card),
      isActive: mdev.isActive,
      isDefined: isKnownAsDefined,
      isAutostart: isKnownAsDefined === true ? mdev.definition?.start === 'auto' : isKnownAsDefined,
      state: stateOf(mdev, vgpu?.state, occupant !== null),
      occupant,
    }
  }
  return inventory.mdevs?.map(describe) ?? null
}
