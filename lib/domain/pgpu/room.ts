import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import { migProfileOf, parseTypeName } from '@/lib/domain/vgpu-type/type-name'
import type { CardType } from './card-types'
import { typeFactsById } from './current-type'
import { known, NO_MAXIMUM, unknown } from './known'
import type { PgpuFacts } from './pgpu-facts'
import type { Known } from './types'

/** Whether the card holds vGPUs of a size other than this type's. */
export const hasOtherSize = (facts: PgpuFacts, type: TypeFacts): boolean =>
  facts.sizes.size > 1 || (facts.sizes.size === 1 && !facts.sizes.has(type.framebufferMib ?? type.typeId))

const isOnePerFunction = (facts: PgpuFacts): boolean =>
  facts.framework === 'mdev-sriov' || facts.framework === 'vendor-vfio'

const unreadable = unknown('available_instances could not be read')

const profileOf = ({ shortName }: TypeFacts): string | null => {
  const name = parseTypeName(shortName)
  return name === null ? null : migProfileOf(name)
}

/** Each vGPU fills a GPU instance of its profile; the driver offers its type on every free VF while one is left. */
const roomInInstances = (facts: PgpuFacts, type: TypeFacts, room: number): Known => {
  const instances = facts.smi?.gpuInstances ?? null
  if (instances === null) return unknown('the driver does not say how many GPU instances are free')
  const profile = profileOf(type)
  const taken = facts.vgpus.map(({ typeId }) =>
    typeId === null ? null : profileOf(typeFactsById(facts, typeId)),
  )
  if (taken.includes(null)) return unknown('which GPU instances the existing vGPUs fill is not told')
  const made = instances.filter((instance) => instance.profile === profile).length
  const free = made - taken.filter((other) => other === profile).length
  // The driver offers one, so an instance is free that the names do not tell of: several types may share it.
  return free < 1
    ? unknown('its GPU instances can not be told by their profiles')
    : known(Math.min(room, free))
}

/** Room on a card whose functions take one vGPU each: bounded by the card's maximum, since every free VF says 1. */
const roomOverFunctions = (facts: PgpuFacts, type: CardType): Known => {
  const offered = type.availability.filter((entry) => (entry.available ?? 0) > 0).length
  const isPartial = type.unreadCount > 0 || type.availability.some((entry) => entry.available === null)
  if (offered === 0) return isPartial ? unreadable : known(0)
  if (facts.mdevs === null && facts.framework === 'mdev-sriov') return unknown('the mdevs could not be read')
  const { maxInstance, isMigBacked } = type.facts
  if (maxInstance === null) return unknown(NO_MAXIMUM)
  const room = Math.max(0, Math.min(offered, maxInstance - facts.vgpus.length))
  if (room <= 1) return known(room)
  if (isMigBacked) return roomInInstances(facts, type.facts, room)
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
