import type { JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { assignedType } from '@/lib/domain/nova-config/assign-types'
import type { GpuDevice } from '@/lib/schemas/agent/inventory'
import { canonicalAddress } from '@/lib/util/canonical-address'

/** What nova.conf gives each mdev parent of a host, and the options of each type. */
export type HostLayout = {
  /** By address, in the host's order. */
  parents: readonly { address: string; typeId: string | null }[]
  /** Types in nova.conf's order. `addresses` null: the default for parents that no type lists. */
  types: readonly LayoutType[]
}

type LayoutType = {
  typeId: string
  addresses: readonly string[] | null
  mdevClass: string | null
  /** A total per host and type. */
  maxInstances: number | null
}

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

/** What the host's nova.conf says now; null when it could not be read whole. */
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

type Wish = {
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
 * Types of a target's parents. An SR-IOV card gets as many VFs as vGPUs fit, because Placement promises one for each VF
 * (reference 1.4).
 */
const parentTypes = (joined: JoinedHost, { targets, typeId }: Wish): Map<string, string | null> =>
  new Map(
    targets.flatMap((target) => {
      const parents = parentsOfPgpu(joined, target.pgpu.address)
      const most = parents.length > 1 ? (capacityOf(target, typeId) ?? parents.length) : parents.length
      return parents.map((address, place) => [address, place < most ? typeId : null] as const)
    }),
  )

const total = (joined: JoinedHost, typeId: string, types: ReadonlyMap<string, string | null>) => {
  const cards = joined.pgpus.filter(({ pgpu }) =>
    parentsOfPgpu(joined, pgpu.address).some((address) => types.get(address) === typeId),
  )
  const isSriov = cards.some(({ pgpu }) => parentsOfPgpu(joined, pgpu.address).length > 1)
  const numbers = cards.map((card) => capacityOf(card, typeId))
  return {
    isSriov,
    sum: numbers.reduce<number | null>(
      (sum, entry) => (sum === null || entry === null ? null : sum + entry),
      0,
    ),
  }
}

/** Addresses of nova.conf that stand for no parent now, such as VFs that are not enabled; the targets' own go. */
const absent = (layout: HostLayout, { targets }: Wish) => {
  const known = new Set([
    ...layout.parents.map(({ address }) => address),
    ...targets.flatMap(({ functions }) => functions),
  ])
  return (type: LayoutType): string[] =>
    (type.addresses ?? []).map(canonicalAddress).filter((address) => !known.has(address))
}

/** The layout once the targets have the wanted type; everything else of the host stays as it is. */
export const layoutAfter = (joined: JoinedHost, before: HostLayout, wish: Wish): HostLayout => {
  const { typeId, resourceClass, hasMaxInstances } = wish
  const wanted = parentTypes(joined, wish)
  const parents = before.parents.map(({ address, typeId: now }) => {
    const next = wanted.get(address)
    return { address, typeId: next === undefined ? now : next }
  })
  const byParent = new Map(parents.map(({ address, typeId: type }) => [address, type]))
  const added: LayoutType = { typeId, addresses: [], mdevClass: resourceClass, maxInstances: null }
  const known = before.types.some((type) => type.typeId === typeId)
  const absentOf = absent(before, wish)
  const hadDefault = before.types.some(({ addresses }) => addresses === null)
  const isOneForAll = parents.every((parent) => parent.typeId === typeId)
  const types = [...before.types, ...(known ? [] : [added])].flatMap((type): LayoutType[] => {
    const own = parents.filter((parent) => parent.typeId === type.typeId).map(({ address }) => address)
    const listed = [...own, ...absentOf(type)]
    if (listed.length === 0) return []
    const { isSriov, sum } = total(joined, type.typeId, byParent)
    const isBounded = type.maxInstances !== null || (isSriov && hasMaxInstances && type.typeId === typeId)
    const isDefault = hadDefault && isOneForAll && type.mdevClass === null && listed.length === own.length
    return [
      {
        ...type,
        addresses: isDefault ? null : listed,
        maxInstances: isBounded ? (sum ?? type.maxInstances) : null,
      },
    ]
  })
  return { parents, types }
}

/** The class that Nova gives the vGPUs of a type; it ignores the class of a type without addresses (reference 1.2). */
export const classInLayout = ({ types }: HostLayout, typeId: string): string => {
  const type = types.find((entry) => entry.typeId === typeId)
  return type === undefined || type.addresses === null ? 'VGPU' : (type.mdevClass ?? 'VGPU')
}

/** Two layouts mean the same to nova-compute: types of parents, classes and bounds. */
export const isSameLayout = (a: HostLayout, b: HostLayout): boolean => textOf(a) === textOf(b)

const textOf = (layout: HostLayout): string =>
  JSON.stringify([
    layout.parents.map(({ address, typeId }) => [
      address,
      typeId,
      typeId === null ? null : classInLayout(layout, typeId),
    ]),
    layout.types
      .filter(({ typeId }) => layout.parents.some((parent) => parent.typeId === typeId))
      .map(({ typeId, maxInstances }) => [typeId, maxInstances])
      .toSorted(),
  ])

/** The mdev options of nova.conf, one line each. */
export const layoutText = ({ types }: HostLayout): string =>
  [
    '[devices]',
    `enabled_mdev_types = ${types.map(({ typeId }) => typeId).join(', ')}`,
    ...types.flatMap(({ typeId, addresses, mdevClass, maxInstances }) => {
      const lines = [
        ...(addresses === null ? [] : [`device_addresses = ${addresses.join(',')}`]),
        ...(mdevClass === null ? [] : [`mdev_class = ${mdevClass}`]),
        ...(maxInstances === null ? [] : [`max_instances = ${maxInstances}`]),
      ]
      return lines.length === 0 ? [] : ['', `[mdev_${typeId}]`, ...lines]
    }),
  ].join('\n')
