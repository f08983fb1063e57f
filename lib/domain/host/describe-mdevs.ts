import { typeFactsById } from '@/lib/domain/pgpu/current-type'
import { definitionsGap } from '@/lib/domain/pgpu/definitions-gap'
import { firstHolder, occupantOf } from '@/lib/domain/pgpu/occupants'
import type { Card, CardFacts } from '@/lib/domain/pgpu/pgpu-facts'
import type { Occupant } from '@/lib/domain/pgpu/types'
import type { Vgpu } from '@/lib/domain/pgpu/vgpus'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import type { HostIndex } from './host-index'
import type { HostReading, Since } from './host-reading'
import { carryOver } from './list-change'
import type { DescribedMdev, MdevState } from './types'

/** An active mdev stands among its card's vGPUs; one without a card is at least known to be held. */
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

const nameOf = (typeId: string, inventory: Inventory, card: CardFacts | undefined): string | null => {
  if (card !== undefined) return typeFactsById(card, typeId).name
  const wording = inventory.vgpuTypes.find((type) => type.typeId === typeId)
  return wording === undefined ? null : readTypeFacts(wording).name
}

const occupantOn = (mdev: Mdev, vgpu: Vgpu | undefined, { occupancy }: HostIndex): Occupant | null => {
  if (vgpu !== undefined) return vgpu.occupant
  const holder = firstHolder(occupancy.byMdev.get(mdev.uuid))
  return holder === null ? null : occupantOf(holder)
}

type Parts = Pick<HostReading, 'inventory' | 'index' | 'cards'>

/** The vGPUs of some cards by their mdevs. */
const vgpusOf = (cards: Iterable<Card>): ReadonlyMap<string, Vgpu> => {
  const vgpuOf = new Map<string, Vgpu>()
  for (const { facts } of cards)
    for (const vgpu of facts.vgpus) if (vgpu.mdevUuid !== null) vgpuOf.set(vgpu.mdevUuid, vgpu)
  return vgpuOf
}

const describeMdev = (
  mdev: Mdev,
  { inventory, index, cards }: Parts,
  { vgpu, known }: { vgpu: Vgpu | undefined; known: DescribedMdev | undefined },
): DescribedMdev => {
  const card = cards[index.places.placeOf.get(mdev.parent) ?? -1]?.facts
  const typeId = mdev.typeId ?? (mdev.isActive ? null : (mdev.definition?.typeId ?? null))
  // Its vGPU has the type already; another of the same uuid may stand on another card.
  const type = vgpu?.typeId === typeId && vgpu.address === mdev.parent ? vgpu.type : null
  const typeName = typeId === null ? null : type === null ? nameOf(typeId, inventory, card) : type.name
  const occupant = occupantOn(mdev, vgpu, index)
  const state = stateOf(mdev, vgpu?.state, occupant !== null)
  // Nothing else of an mdev can differ while its own entry, the host's cards and the scan's problems stay.
  if (typeName === known?.typeName && occupant === known.occupant && state === known.state) return known
  const isKnownAsDefined = isDefined(inventory, mdev)
  return {
    uuid: mdev.uuid,
    pgpuAddress: card?.gpu.address ?? null,
    parent: mdev.parent,
    typeId,
    typeName,
    isActive: mdev.isActive,
    isDefined: isKnownAsDefined,
    isAutostart: isKnownAsDefined === true ? mdev.definition?.start === 'auto' : isKnownAsDefined,
    state,
    occupant,
  }
}

/** Every mdev of the host with its pGPU, state and guest; null when the mdevs could not be read. */
export const describeMdevs = (parts: Parts, since: Since | null): DescribedMdev[] | null => {
  const { mdevs } = parts.inventory
  if (mdevs === null) return null
  const before = since?.last.description.mdevs
  if (since === null || before == null) {
    const vgpuOf = vgpusOf(parts.cards)
    return mdevs.map((mdev) => describeMdev(mdev, parts, { vgpu: vgpuOf.get(mdev.uuid), known: undefined }))
  }
  const concerned = [...since.concern.mdevs]
  const cards: Card[] = []
  for (const place of since.concern.cards) {
    const card = parts.cards[place]
    if (card === undefined) continue
    cards.push(card)
    concerned.push(...(card.facts.mdevs ?? []))
  }
  const vgpuOf = vgpusOf(cards)
  return carryOver(mdevs, {
    sources: since.change.mdevs.sources,
    before,
    concerned,
    make: (mdev, known) => describeMdev(mdev, parts, { vgpu: vgpuOf.get(mdev.uuid), known }),
  })
}
