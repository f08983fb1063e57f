import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { CardType } from './card-types'
import { known, NO_MAXIMUM, unknown } from './known'
import { type TypeInstances, typeInstances } from './mig-instances'
import { cardOf } from './model-names'
import type { PgpuFacts } from './pgpu-facts'
import type { Known } from './types'
import type { Vgpu } from './vgpus'

/** Whether the card holds vGPUs of a size other than this type's. */
export const hasOtherSize = (facts: PgpuFacts, type: TypeFacts): boolean =>
  facts.sizes.size > 1 || (facts.sizes.size === 1 && !facts.sizes.has(type.framebufferMib ?? type.typeId))

const isOnePerFunction = (facts: PgpuFacts): boolean =>
  facts.framework === 'mdev-sriov' || facts.framework === 'vendor-vfio'

const unreadable = unknown('available_instances could not be read')

const NOT_RECOGNIZED = unknown('its GPU instances cannot be identified by their profiles')

/** Cached by card, because each vGPU and each type needs it, often for the same type. */
const remembered = new WeakMap<PgpuFacts, Map<string, TypeInstances | null>>()

/** The GPU instances that a vGPU of a type can use; null: they could not be read. */
export const instancesFor = (facts: PgpuFacts, type: TypeFacts | null): TypeInstances | null => {
  if (type === null) return null
  const byType = remembered.get(facts) ?? new Map<string, TypeInstances | null>()
  remembered.set(facts, byType)
  const held = byType.get(type.typeId)
  if (held !== undefined) return held
  const found = typeInstances(facts.smi, type, cardOf(facts))
  byType.set(type.typeId, found)
  return found
}

export const sizeOf = (type: TypeFacts | null, typeId: string | null): number | string | null =>
  type?.framebufferMib ?? typeId

/** `gpu_instance_id` of each vGPU by its VF; null: one is not reported. */
export const instanceIds = ({ gpu, vgpus }: PgpuFacts): ReadonlyMap<Vgpu, number> | null => {
  const byAddress = new Map(gpu.virtualFunctions.map((vf) => [vf.address, vf.vendorVfio?.gpuInstanceId]))
  const ids = new Map<Vgpu, number>()
  for (const vgpu of vgpus) {
    const id = byAddress.get(vgpu.address)
    if (id == null) return null
    ids.set(vgpu, id)
  }
  return ids
}

/** Where each vGPU's instance is reported: vGPUs of one size share an instance, those of other sizes exclude each other. */
const freeByInstance = (
  { vgpus }: PgpuFacts,
  type: TypeFacts,
  { instances, perInstance, ids }: TypeInstances & { ids: ReadonlyMap<Vgpu, number> },
): number => {
  const size = sizeOf(type, type.typeId)
  let free = 0
  for (const { id } of instances) {
    const there = vgpus.filter((vgpu) => ids.get(vgpu) === id)
    const isOfSize = there.every((vgpu) => sizeOf(vgpu.type, vgpu.typeId) === size)
    if (isOfSize) free += Math.max(0, perInstance - there.length)
  }
  return free
}

/**
 * For a card whose instances are not reported: each vGPU takes one of the instances of its profile. Null if sizes share instances,
 * because they cannot be distinguished.
 */
const freeByProfile = (
  facts: PgpuFacts,
  type: TypeFacts,
  { instances, perInstance }: TypeInstances,
): number | null => {
  const own = new Set(instances.map(({ id }) => id))
  let taken = 0
  for (const vgpu of facts.vgpus) {
    const other = instancesFor(facts, vgpu.type)
    if (other === null || other.instances.length === 0) return null
    if (!other.instances.some(({ id }) => own.has(id))) continue
    if (sizeOf(vgpu.type, vgpu.typeId) !== sizeOf(type, type.typeId)) return null
    taken += 1
  }
  return instances.length * perInstance - taken
}

/** The driver offers a type on every free VF while an instance has room, so the instances say how many fit. */
const freeInInstances = (facts: PgpuFacts, type: TypeFacts, offered: number): Known => {
  const found = instancesFor(facts, type)
  if (found === null) return unknown('the driver does not report how many GPU instances are free')
  if (facts.vgpus.some(({ typeId }) => typeId === null))
    return unknown('the driver does not report which GPU instances the existing vGPUs use')
  const ids = instanceIds(facts)
  const free =
    ids === null ? freeByProfile(facts, type, found) : freeByInstance(facts, type, { ...found, ids })
  // The driver offers one, so an instance has room that the profiles do not show.
  return free === null || free < 1 ? NOT_RECOGNIZED : known(Math.min(offered, free))
}

/**
 * Free capacity of a card whose functions take one vGPU each: bounded by the card's maximum, since every free VF reports
 * 1.
 */
const freeOverFunctions = (facts: PgpuFacts, type: CardType): Known => {
  const offered = type.availability.filter((entry) => (entry.available ?? 0) > 0).length
  const isPartial = type.unreadCount > 0 || type.availability.some((entry) => entry.available === null)
  if (offered === 0) return isPartial ? unreadable : known(0)
  if (facts.mdevs === null && facts.framework === 'mdev-sriov') return unknown('the mdevs could not be read')
  const { maxInstance, isMigBacked, typeId } = type.facts
  // In MIG mode a card holds several profiles, and only vGPUs of the same type count against the maximum of a type.
  const existing = isMigBacked ? facts.vgpus.filter((vgpu) => vgpu.typeId === typeId) : facts.vgpus
  const left = maxInstance === null ? Number.POSITIVE_INFINITY : Math.max(0, maxInstance - existing.length)
  const free = Math.min(offered, left)
  const hasInstances = isMigBacked && facts.smi?.gpuInstances != null
  if (hasInstances && free > 1) return freeInInstances(facts, type.facts, free)
  if (maxInstance === null && !(hasInstances && free === 1)) return unknown(NO_MAXIMUM)
  if (free <= 1) return known(free)
  if (isMigBacked) return freeInInstances(facts, type.facts, free)
  if (hasOtherSize(facts, type.facts))
    return unknown('several sizes share the card, and the driver does not report how many more fit')
  return isPartial && offered < left ? unreadable : known(free)
}

/**
 * How many more vGPUs of a type the driver can create on a card now. The driver's own number if the card itself is the
 * mdev parent; on SR-IOV cards the free VFs that offer the type, at most what the card's maximum leaves.
 */
export const creatableFor = (facts: PgpuFacts, type: CardType): Known => {
  if (isOnePerFunction(facts)) return freeOverFunctions(facts, type)
  const available = type.availability[0]?.available ?? null
  return available === null ? unreadable : known(available)
}
