import * as z from 'zod'
import type { JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { assignedType } from '@/lib/domain/nova-config/assign-types'
import type { GpuDevice } from '@/lib/schemas/agent/inventory'
import { canonicalAddress } from '@/lib/util/canonical-address'

const layoutTypeSchema = z.object({
  typeId: z.string(),
  /** Null: the default for parents that no type lists. */
  addresses: z.array(z.string()).readonly().nullable(),
  mdevClass: z.string().nullable(),
  /** A total per host and type. */
  maxInstances: z.number().nullable(),
})
type LayoutType = z.infer<typeof layoutTypeSchema>

/** What nova.conf gives each mdev parent of a host, and the options of each type. */
export const hostLayoutSchema = z.object({
  /** By address, in the host's order. */
  parents: z.array(z.object({ address: z.string(), typeId: z.string().nullable() })).readonly(),
  /** Types in nova.conf's order. */
  types: z.array(layoutTypeSchema).readonly(),
})
export type HostLayout = z.infer<typeof hostLayoutSchema>

/** PCI addresses that carry mdevs: the VFs of an SR-IOV card, else the card itself. */
const mdevParents = (device: GpuDevice): string[] => {
  const functions = device.virtualFunctions.filter(({ mdevTypes }) => mdevTypes !== null)
  if (functions.length > 0) return functions.map(({ address }) => address)
  return device.mdevTypes === null ? [] : [device.address]
}

/** The mdev parents of one pGPU. */
export const parentsOfPgpu = ({ host }: JoinedHost, address: string): string[] => {
  const device = host.inventory.gpus.find((gpu) => gpu.address === address)
  return device === undefined ? [] : mdevParents(device)
}

/** The current content of the host's nova.conf; null if it could not be read completely. */
export const layoutNow = (joined: JoinedHost): HostLayout | null => {
  const { nova, host } = joined
  if (nova === null || nova.gap !== null) return null
  const seen = new Set<string>()
  return {
    parents: host.inventory.gpus.flatMap(mdevParents).map((address) => ({
      address,
      typeId: assignedType(nova.assignment, address)?.typeId ?? null,
    })),
    types: nova.mdev.types.flatMap(({ typeId, deviceAddresses, mdevClass, maxInstances }) => {
      if (seen.has(typeId)) return []
      seen.add(typeId)
      const addresses = deviceAddresses.length === 0 ? null : deviceAddresses
      return [{ typeId, addresses, mdevClass, maxInstances }]
    }),
  }
}

type LayoutChange = {
  targets: readonly JoinedPgpu[]
  typeId: string
  /** For a type that nova.conf does not name yet; null: VGPU. */
  resourceClass: string | null
  /** Nova 29 (2024.1) and newer. */
  hasMaxInstances: boolean
}

const capacityOf = ({ pgpu }: JoinedPgpu, typeId: string): number | null =>
  pgpu.supportedTypes?.find((type) => type.typeId === typeId)?.maxInstance ?? null

/**
 * Types of a target's parents. An SR-IOV card gets as many VFs as vGPUs fit, because Placement advertises one for each VF
 * (nova/virt/libvirt/driver.py _get_gpu_inventories).
 */
const parentTypes = (joined: JoinedHost, { targets, typeId }: LayoutChange): Map<string, string | null> =>
  new Map(
    targets.flatMap((target) => {
      const parents = parentsOfPgpu(joined, target.pgpu.address)
      const max = parents.length > 1 ? (capacityOf(target, typeId) ?? parents.length) : parents.length
      return parents.map((address, index) => [address, index < max ? typeId : null] as const)
    }),
  )

type ParentTypes = ReadonlyMap<string, string | null>

const cardsOf = (joined: JoinedHost, typeId: string, types: ParentTypes): JoinedPgpu[] =>
  joined.pgpus.filter(({ pgpu }) =>
    parentsOfPgpu(joined, pgpu.address).some((address) => types.get(address) === typeId),
  )

/** vGPUs of a type that cards hold; null: a driver does not say. */
const capacityOfAll = (cards: readonly JoinedPgpu[], typeId: string): number | null =>
  cards.reduce<number | null>((sum, card) => {
    const capacity = capacityOf(card, typeId)
    return sum === null || capacity === null ? null : sum + capacity
  }, 0)

/**
 * Parents of a card that give more places of a type than the card holds. Nova counts `max_instances` over the whole host in
 * libvirt's order, so the first such card takes the places of the next.
 */
const isWide = (
  joined: JoinedHost,
  card: JoinedPgpu,
  { typeId, types }: { typeId: string; types: ParentTypes },
) => {
  const parents = parentsOfPgpu(joined, card.pgpu.address)
  const given = parents.filter((address) => types.get(address) === typeId).length
  return parents.length > 1 && given > (capacityOf(card, typeId) ?? given)
}

/** Of a wide card the parents that count now: those with an mdev, and those that Nova reports. Null: too many, or none. */
const countingParents = (
  joined: JoinedHost,
  card: JoinedPgpu,
  typeId: string,
): ReadonlySet<string> | null => {
  const parents = new Set(parentsOfPgpu(joined, card.pgpu.address))
  const counting = new Set(
    [
      ...card.providers.map(({ address }) => address),
      ...(joined.host.inventory.mdevs ?? []).map(({ parent }) => parent),
    ].filter((address) => parents.has(address)),
  )
  return counting.size > 0 && counting.size <= (capacityOf(card, typeId) ?? 0) ? counting : null
}

/**
 * Other cards of the wanted type whose VFs `max_instances` alone bounds: with the higher total of the host they would take the
 * targets' places, so those VFs stay that count now.
 */
const narrowed = (
  joined: JoinedHost,
  { types, requested }: { types: ParentTypes; requested: LayoutChange },
): Map<string, string | null> => {
  const { typeId, targets } = requested
  const isTarget = ({ pgpu }: JoinedPgpu) => targets.some((target) => target.pgpu.address === pgpu.address)
  return new Map(
    cardsOf(joined, typeId, types)
      .filter((card) => !isTarget(card) && isWide(joined, card, { typeId, types }))
      .flatMap((card) => {
        const counting = countingParents(joined, card, typeId)
        return counting === null
          ? []
          : parentsOfPgpu(joined, card.pgpu.address)
              .filter((address) => !counting.has(address))
              .map((address) => [address, null] as const)
      }),
  )
}

/**
 * `max_instances` of a type: the total of its cards on the host, because a lower one drops whole pGPUs
 * (nova/virt/libvirt/driver.py _get_gpu_inventories).
 */
const boundOf = (
  joined: JoinedHost,
  type: LayoutType,
  { types, isTouched, requested }: { types: ParentTypes; isTouched: boolean; requested: LayoutChange },
): number | null => {
  const { typeId, maxInstances: now } = type
  // Nova without the option ignores it; what belongs to other pGPUs stays as it is.
  if (!isTouched || !requested.hasMaxInstances) return now
  const cards = cardsOf(joined, typeId, types)
  const sum = capacityOfAll(cards, typeId)
  if (typeId !== requested.typeId) return now === null || sum === null ? now : Math.min(now, sum)
  const isSriov = cards.some(({ pgpu }) => parentsOfPgpu(joined, pgpu.address).length > 1)
  const isBoundable = cards.every((card) => !isWide(joined, card, { typeId, types }))
  if (now === null) return isSriov && isBoundable ? sum : null
  return sum
}

/** Addresses of nova.conf that stand for no parent now, such as VFs that are not enabled; the targets' own go. */
const absent = (layout: HostLayout, { targets }: LayoutChange) => {
  const known = new Set([
    ...layout.parents.map(({ address }) => address),
    ...targets.flatMap(({ functions }) => functions),
  ])
  return (type: LayoutType): string[] =>
    (type.addresses ?? []).map(canonicalAddress).filter((address) => !known.has(address))
}

const typedParents = (
  joined: JoinedHost,
  before: HostLayout,
  { requested, isBounded }: { requested: LayoutChange; isBounded: boolean },
): HostLayout['parents'] => {
  const give = (parents: HostLayout['parents'], given: ParentTypes): HostLayout['parents'] =>
    parents.map(({ address, typeId: now }) => {
      const next = given.get(address)
      return { address, typeId: next === undefined ? now : next }
    })
  const parents = give(before.parents, parentTypes(joined, requested))
  const types = new Map(parents.map(({ address, typeId }) => [address, typeId]))
  return isBounded ? give(parents, narrowed(joined, { types, requested })) : parents
}

/** The layout once the targets have the wanted type; everything else of the host stays as it is. */
export const layoutAfter = (joined: JoinedHost, before: HostLayout, requested: LayoutChange): HostLayout => {
  const { typeId, resourceClass, hasMaxInstances } = requested
  const known = before.types.find((type) => type.typeId === typeId)
  const isBounded = hasMaxInstances && known !== undefined && known.maxInstances !== null
  const parents = typedParents(joined, before, { requested, isBounded })
  const byParent = new Map(parents.map(({ address, typeId: type }) => [address, type]))
  const added: LayoutType = { typeId, addresses: [], mdevClass: resourceClass, maxInstances: null }
  const absentOf = absent(before, requested)
  const hadDefault = before.types.some(({ addresses }) => addresses === null)
  const isOneForAll = parents.every((parent) => parent.typeId === typeId)
  const ownOf = (layout: HostLayout['parents'], type: LayoutType): string[] =>
    layout.flatMap((parent) => (parent.typeId === type.typeId ? [parent.address] : []))
  const types = [...before.types, ...(known === undefined ? [added] : [])].flatMap((type): LayoutType[] => {
    const own = ownOf(parents, type)
    const listed = [...own, ...absentOf(type)]
    if (listed.length === 0) return []
    const isTouched = own.join() !== ownOf(before.parents, type).join()
    const isDefault = hadDefault && isOneForAll && type.mdevClass === null && listed.length === own.length
    return [
      {
        ...type,
        addresses: isDefault ? null : listed,
        maxInstances: boundOf(joined, type, { types: byParent, isTouched, requested }),
      },
    ]
  })
  return { parents, types }
}

/**
 * The class that Nova gives the vGPUs of a type; it ignores the class of a type without addresses (nova/virt/libvirt/driver.py
 * _get_supported_vgpu_types).
 */
export const classInLayout = ({ types }: HostLayout, typeId: string): string => {
  const type = types.find((entry) => entry.typeId === typeId)
  return type === undefined || type.addresses === null ? 'VGPU' : (type.mdevClass ?? 'VGPU')
}

/** Parents with their type and class, and the bound of each type that a parent has. */
const meaningOf = (layout: HostLayout): Map<string, string> =>
  new Map([
    ...layout.parents.map(({ address, typeId }) => {
      const given = typeId === null ? 'none' : `${typeId} ${classInLayout(layout, typeId)}`
      return [address, given] as const
    }),
    ...layout.types
      .filter(({ typeId }) => layout.parents.some((parent) => parent.typeId === typeId))
      .map(({ typeId, maxInstances }) => [typeId, `max_instances ${maxInstances}`] as const),
  ])

/** Addresses of parents and ids of types that two layouts give nova-compute differently. */
export const layoutDifference = (a: HostLayout, b: HostLayout): string[] => {
  const [from, to] = [meaningOf(a), meaningOf(b)]
  return [...new Set([...from.keys(), ...to.keys()])].filter((key) => from.get(key) !== to.get(key))
}

/** Two layouts mean the same to nova-compute: types of parents, classes and bounds. */
export const isSameLayout = (a: HostLayout, b: HostLayout): boolean => layoutDifference(a, b).length === 0
