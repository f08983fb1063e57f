import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import type { HostFacts, HostParts } from './detector'

/** An mdev parent with the type that nova.conf gives it, and what Nova counts there. */
export type OfferedParent = {
  card: Card
  parent: string
  typeId: string
  /** Active mdevs of that type, attached or not. */
  made: number
  /** `available_instances` of that type. */
  available: number
}

const parentsOf = (card: Card): OfferedParent[] =>
  [...(card.facts.assigned ?? [])].flatMap(([parent, assigned]) => {
    if (assigned === null) return []
    const type = card.facts.types?.find((entry) => entry.facts.typeId === assigned.typeId)
    const available = type?.availability.find((entry) => entry.parent === parent)?.available ?? null
    if (available === null) return []
    const made = card.facts.vgpus.filter(
      (vgpu) => vgpu.address === parent && vgpu.typeId === assigned.typeId,
    ).length
    return [{ card, parent, typeId: assigned.typeId, made, available }]
  })

/** All parents that Nova takes into account. Source: nova/virt/libvirt/driver.py _get_gpu_inventories. */
export const offeredParents = (host: HostFacts): OfferedParent[] =>
  host.inventory.mdevs === null ? [] : host.cards.flatMap(parentsOf)

/** Those of one card. */
export const offeredParentsOf = (card: Card, { inventory }: HostParts): OfferedParent[] =>
  inventory.mdevs === null ? [] : parentsOf(card)

/** Total of one parent without `max_instances`. */
export const totalOf = (parent: OfferedParent): number => parent.made + parent.available

/**
 * The cards that Nova leaves out because of `max_instances`: a parent whose available vGPUs do not fit whole under the
 * limit gets total 0. Which ones depends on libvirt's order; the report's is taken.
 */
export const droppedParents = <Parent extends { made: number; available: number | null }>(
  parents: readonly Parent[],
  maxInstances: number,
): Parent[] => {
  let counted = parents.reduce((sum, parent) => sum + parent.made, 0)
  return parents.filter(({ available }) => {
    if (counted + (available ?? 0) > maxInstances) return true
    counted += available ?? 0
    return false
  })
}
