import { typeFactsById } from '@/lib/domain/pgpu/current-type'
import type { PgpuFacts } from '@/lib/domain/pgpu/pgpu-facts'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import { type Occupancy, occupantOf } from './occupants'
import type { DescribedMdev, MdevState } from './types'

/** An active mdev stands among its card's vGPUs; one without a card is at least known to be held. */
const stateOf = (mdev: Mdev, onCard: MdevState | undefined, isHeld: boolean): MdevState => {
  if (!mdev.isActive) return mdev.definition?.start === 'auto' ? 'returning' : 'defined'
  return onCard ?? (isHeld ? 'used' : 'unknown')
}

const nameOf = (inventory: Inventory, facts: PgpuFacts | undefined, typeId: string): string | null => {
  if (facts !== undefined) return typeFactsById(facts, typeId).name
  const wording = inventory.vgpuTypes.find((type) => type.typeId === typeId)
  return wording === undefined ? null : readTypeFacts(wording).name
}

/** Every mdev of the host with its pGPU, state and guest; null when the mdevs could not be read. */
export const describeMdevs = ({
  inventory,
  occupancy,
  owners,
}: {
  inventory: Inventory
  occupancy: Occupancy
  /** The card that each function belongs to. */
  owners: ReadonlyMap<string, { facts: PgpuFacts }>
}): DescribedMdev[] | null => {
  const cards = new Set([...owners.values()].map((owner) => owner.facts))
  const states = new Map<string | null, MdevState>(
    [...cards].flatMap((card) => card.vgpus.map((vgpu) => [vgpu.mdevUuid, vgpu.state])),
  )
  return (
    inventory.mdevs?.map((mdev) => {
      const card = owners.get(mdev.parent)?.facts
      const holders = occupancy.byMdev.get(mdev.uuid) ?? []
      const holder = holders.find((guest) => guest.state === 'running') ?? holders[0]
      const typeId = mdev.typeId ?? (mdev.isActive ? null : (mdev.definition?.typeId ?? null))
      return {
        uuid: mdev.uuid,
        pgpuAddress: card?.gpu.address ?? null,
        parent: mdev.parent,
        typeId,
        typeName: typeId === null ? null : nameOf(inventory, card, typeId),
        isActive: mdev.isActive,
        isDefined: mdev.definition !== null,
        isAutostart: mdev.definition?.start === 'auto',
        state: stateOf(mdev, states.get(mdev.uuid), holder !== undefined),
        occupant: holder === undefined ? null : occupantOf(holder),
      }
    }) ?? null
  )
}
