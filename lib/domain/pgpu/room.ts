import type { CardType } from './card-types'
import { known, unknown } from './known'
import type { PgpuFacts } from './pgpu-facts'
import type { Known, TypeFacts } from './types'

/** Whether the card holds vGPUs of a size other than this type's. */
export const hasOtherSize = (facts: PgpuFacts, type: TypeFacts): boolean =>
  facts.sizes.size > 1 || (facts.sizes.size === 1 && !facts.sizes.has(type.framebufferMib ?? type.typeId))

const isOnePerFunction = (facts: PgpuFacts): boolean =>
  facts.framework === 'mdev-sriov' || facts.framework === 'vendor-vfio'

const unreadable = unknown('available_instances could not be read')

/** Room on a card whose functions take one vGPU each: bounded by the card's maximum, since every free VF says 1. */
const roomOverFunctions = (facts: PgpuFacts, type: CardType): Known => {
  const offered = type.availability.filter((entry) => (entry.available ?? 0) > 0).length
  const isPartial = type.unreadCount > 0 || type.availability.some((entry) => entry.available === null)
  if (offered === 0) return isPartial ? unreadable : known(0)
  if (facts.mdevs === null && facts.framework === 'mdev-sriov') return unknown('the mdevs could not be read')
  const { maxInstance, isMigBacked } = type.facts
  if (maxInstance === null) return unknown('the driver does not say how many fit on the card')
  const room = Math.max(0, Math.min(offered, maxInstance - facts.vgpus.length))
  if (room <= 1) return known(room)
  if (isMigBacked) return unknown('the driver does not say how many GPU instances are free')
  if (hasOtherSize(facts, type.facts))
    return unknown('several sizes share the card, and the driver does not say how many more fit')
  return isPartial && offered < maxInstance - facts.vgpus.length ? unreadable : known(room)
}

/**
 * How many more vGPUs of a type the driver would make on a card now. Its own word where the card itself is the mdev parent;
 * on SR-IOV cards the free VFs that offer the type, never more than the card's maximum leaves.
 */
export const roomFor = (facts: PgpuFacts, type: CardType): Known => {
  if (isOnePerFunction(facts)) return roomOverFunctions(facts, type)
  const available = type.availability[0]?.available ?? null
  return available === null ? unreadable : known(available)
}
