import { typeFactsById } from '@/lib/domain/pgpu/current-type'
import type { PgpuFacts } from '@/lib/domain/pgpu/pgpu-facts'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { Guest, Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import { definitionsGap } from './definitions-gap'
import { type HostMemory, recall } from './host-memory'
import { type Occupancy, occupantOf } from './occupants'
import type { DescribedMdev, MdevState } from './types'

/** An active mdev stands among its card's vGPUs; one without a card is at least known to be held. */
const stateOf = (mdev: Mdev, onCard: MdevState | undefined, isHeld: boolean): MdevState => {
  if (!mdev.isActive) return mdev.definition?.start === 'auto' ? 'returning' : 'defined'
  return onCard ?? (isHeld ? 'used' : 'unknown')
}

/** An mdev without a definition is not defined, unless the definitions of its parent are out of sight. */
const definedAs = (
  inventory: Inventory,
  { uuid, parent, definition }: Mdev,
): Pick<DescribedMdev, 'isDefined' | 'isAutostart'> => {
  if (definition !== null) return { isDefined: true, isAutostart: definition.start === 'auto' }
  const isKnown = definitionsGap(inventory, { parents: new Set([parent]), uuid }) === null
  return { isDefined: isKnown ? false : null, isAutostart: isKnown ? false : null }
}

const nameOf = (inventory: Inventory, facts: PgpuFacts | undefined, typeId: string): string | null => {
  if (facts !== undefined) return typeFactsById(facts, typeId).name
  const wording = inventory.vgpuTypes.find((type) => type.typeId === typeId)
  return wording === undefined ? null : readTypeFacts(wording).name
}

type MdevContext = {
  card: PgpuFacts | undefined
  holder: Guest | undefined
  onCard: MdevState | undefined
}

/** Every mdev of the host with its pGPU, state and guest; null when the mdevs could not be read. */
export const describeMdevs = ({
  inventory,
  occupancy,
  owners,
  memory,
}: {
  inventory: Inventory
  occupancy: Occupancy
  /** The card that each function belongs to. */
  owners: ReadonlyMap<string, { facts: PgpuFacts }>
  memory?: HostMemory | undefined
}): DescribedMdev[] | null => {
  const states = new Map<string | null, MdevState>()
  for (const card of new Set([...owners.values()].map((owner) => owner.facts)))
    for (const { mdevUuid, state } of card.vgpus) states.set(mdevUuid, state)
  const describeMdev = (mdev: Mdev, { card, holder, onCard }: MdevContext): DescribedMdev => {
    const typeId = mdev.typeId ?? (mdev.isActive ? null : (mdev.definition?.typeId ?? null))
    return {
      uuid: mdev.uuid,
      pgpuAddress: card?.gpu.address ?? null,
      parent: mdev.parent,
      typeId,
      typeName: typeId === null ? null : nameOf(inventory, card, typeId),
      isActive: mdev.isActive,
      ...definedAs(inventory, mdev),
      state: stateOf(mdev, onCard, holder !== undefined),
      occupant: holder === undefined ? null : occupantOf(holder),
    }
  }
  return (
    inventory.mdevs?.map((mdev) => {
      const card = owners.get(mdev.parent)?.facts
      const holders = occupancy.byMdev.get(mdev.uuid) ?? []
      const holder = holders.find((guest) => guest.state === 'running') ?? holders[0]
      const onCard = states.get(mdev.uuid)
      return recall({
        memory: memory?.mdevs,
        key: mdev,
        inputs: [card ?? inventory.vgpuTypes, inventory.problems, holder, onCard],
        read: () => describeMdev(mdev, { card, holder, onCard }),
      })
    }) ?? null
  )
}
