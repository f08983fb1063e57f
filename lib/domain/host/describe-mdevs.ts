import type { Card, CardFacts } from '@/lib/domain/findings/detector'
import { typeFactsById } from '@/lib/domain/pgpu/current-type'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import { definitionsGap } from './definitions-gap'
import type { HostReading, Since } from './host-reading'
import { carryOver } from './list-change'
import { occupantOf } from './occupants'
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

const nameOf = (inventory: Inventory, facts: CardFacts | undefined, typeId: string): string | null => {
  if (facts !== undefined) return typeFactsById(facts, typeId).name
  const wording = inventory.vgpuTypes.find((type) => type.typeId === typeId)
  return wording === undefined ? null : readTypeFacts(wording).name
}

type Parts = Pick<HostReading, 'inventory' | 'index' | 'cards'>

const describeMdev = (
  mdev: Mdev,
  { inventory, index, cards }: Parts,
  states: ReadonlyMap<string | null, MdevState>,
): DescribedMdev => {
  const card = cards[index.places.placeOf.get(mdev.parent) ?? -1]?.facts
  const holders = index.occupancy.byMdev.get(mdev.uuid) ?? []
  const holder = holders.find((guest) => guest.state === 'running') ?? holders[0]
  const typeId = mdev.typeId ?? (mdev.isActive ? null : (mdev.definition?.typeId ?? null))
  return {
    uuid: mdev.uuid,
    pgpuAddress: card?.gpu.address ?? null,
    parent: mdev.parent,
    typeId,
    typeName: typeId === null ? null : nameOf(inventory, card, typeId),
    isActive: mdev.isActive,
    ...definedAs(inventory, mdev),
    state: stateOf(mdev, states.get(mdev.uuid), holder !== undefined),
    occupant: holder === undefined ? null : occupantOf(holder),
  }
}

const statesOn = (cards: readonly Card[]): Map<string | null, MdevState> =>
  new Map(cards.flatMap(({ facts }) => facts.vgpus.map(({ mdevUuid, state }) => [mdevUuid, state])))

/** Every mdev of the host with its pGPU, state and guest; null when the mdevs could not be read. */
export const describeMdevs = ({
  since,
  ...parts
}: Parts & { since: Since | null }): DescribedMdev[] | null => {
  const { mdevs } = parts.inventory
  const before = since?.last.description.mdevs
  if (mdevs === null) return null
  if (since === null || before == null) {
    const states = statesOn(parts.cards)
    return mdevs.map((mdev) => describeMdev(mdev, parts, states))
  }
  const { cards: places, mdevs: named } = since.concern
  const cards = [...places].flatMap((place) => parts.cards[place] ?? [])
  const states = statesOn(cards)
  return carryOver(mdevs, {
    change: since.change.mdevs,
    before,
    concerned: new Set([...named, ...cards.flatMap(({ facts }) => facts.mdevs ?? [])]),
    make: (mdev) => describeMdev(mdev, parts, states),
  })
}
