import { parseCreatableLine, vendorTypeId } from '@/lib/domain/vgpu-type/creatable-line'
import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import { readVendorType } from '@/lib/domain/vgpu-type/read-vendor-type'
import type { GpuDevice, NvidiaSmi, TypeAvailability, VendorVfio } from '@/lib/schemas/agent/inventory'
import type { Occupancy } from './occupants'

/** A type that a card offers, and what each of its parents (the card, or its VFs) says about room for it now. */
export type CardType = {
  facts: TypeFacts
  /** mdev: `available_instances` of each parent, null when unreadable. Vendor VFIO: 1 for each VF that lists the type. */
  availability: { parent: string; available: number | null }[]
  /** Vendor VFIO: VFs whose list of types could not be read. */
  unreadCount: number
}

/** The contract's bound on an mdev parent's types, kept for vendor VFIO too. */
const MOST_TYPES = 512

type Parent = { address: string; mdevTypes: TypeAvailability[] | null; vendorVfio: VendorVfio | null }

const readMdevTypes = (parents: Parent[], typeBook: readonly TypeFacts[]): CardType[] => {
  const types = new Map<number, CardType>()
  for (const parent of parents)
    for (const [place, available] of parent.mdevTypes ?? []) {
      const facts = typeBook[place]
      if (facts === undefined) continue
      const held = types.get(place)
      const entry = { parent: parent.address, available }
      if (held === undefined) types.set(place, { facts, availability: [entry], unreadCount: 0 })
      else held.availability.push(entry)
    }
  return mergeWordings([...types.values()])
}

/** One type id in two wordings on one card is one type: the first wording stands. */
const mergeWordings = (types: CardType[]): CardType[] => {
  const byId = new Map<string, CardType>()
  for (const type of types) {
    const held = byId.get(type.facts.typeId)
    if (held === undefined) byId.set(type.facts.typeId, type)
    else held.availability.push(...type.availability)
  }
  return [...byId.values()]
}

/** Names of running vendor-VFIO types as nvidia-smi tells them, by the guest that holds the VF. */
const namesFromSmi = (
  parents: Parent[],
  occupancy: Occupancy,
  smi: NvidiaSmi['gpus'][number] | null,
): Map<number, string> => {
  const names = new Map<number, string>()
  const vgpus = smi?.vgpus ?? []
  const running = parents.filter((parent) => (parent.vendorVfio?.currentType ?? 0) > 0)
  for (const parent of running) {
    const holders = new Set((occupancy.byPciAddress.get(parent.address) ?? []).map((guest) => guest.uuid))
    const told = vgpus.filter((vgpu) => vgpu.guestUuid !== null && holders.has(vgpu.guestUuid))
    const distinct = new Set(told.map((vgpu) => vgpu.typeName))
    const name = [...distinct][0]
    if (distinct.size === 1 && typeof name === 'string') names.set(parent.vendorVfio?.currentType ?? 0, name)
  }
  const ids = new Set(running.map((parent) => parent.vendorVfio?.currentType ?? 0))
  const all = new Set(vgpus.map((vgpu) => vgpu.typeName))
  const [id] = ids
  const [only] = all
  if (ids.size === 1 && all.size === 1 && id !== undefined && typeof only === 'string') names.set(id, only)
  return names
}

/** The other cards of the host with this one's PCI id: their driver names types that a full card no longer lists. */
const sistersOf = (gpu: GpuDevice, gpus: readonly GpuDevice[]): GpuDevice[] =>
  gpus.filter(
    ({ address, vendorId, deviceId }) =>
      address !== gpu.address && vendorId === gpu.vendorId && deviceId === gpu.deviceId,
  )

const nameFromSisters = (id: number, sisters: readonly GpuDevice[]): string | null => {
  for (const sister of sisters)
    for (const parent of [sister, ...sister.virtualFunctions])
      for (const line of parent.vendorVfio?.creatable ?? []) {
        const type = parseCreatableLine(line)
        if (type?.id === id) return type.name
      }
  return null
}

const readVendorTypes = (
  parents: Parent[],
  {
    occupancy,
    smi,
    sisters,
  }: { occupancy: Occupancy; smi: NvidiaSmi['gpus'][number] | null; sisters: readonly GpuDevice[] },
): CardType[] => {
  const names = namesFromSmi(parents, occupancy, smi)
  const offers = new Map<number, CardType['availability']>()
  for (const { address, vendorVfio } of parents)
    for (const line of vendorVfio?.creatable ?? []) {
      const type = parseCreatableLine(line)
      if (type === null) continue
      names.set(type.id, type.name)
      const held = offers.get(type.id)
      if (held === undefined) offers.set(type.id, [{ parent: address, available: 1 }])
      else if (held.at(-1)?.parent !== address) held.push({ parent: address, available: 1 })
    }
  const current = parents.map((parent) => parent.vendorVfio?.currentType ?? 0).filter((id) => id > 0)
  const unreadCount = parents.filter((parent) => parent.vendorVfio?.creatable == null).length
  return [...new Set([...offers.keys(), ...current])]
    .toSorted((a, b) => a - b)
    .slice(0, MOST_TYPES)
    .map((id) => ({
      facts: readVendorType({
        typeId: vendorTypeId(id),
        name: names.get(id) ?? nameFromSisters(id, sisters),
      }),
      availability: offers.get(id) ?? [],
      unreadCount,
    }))
}

/**
 * The types that a card offers, taken apart, in the driver's order; null when it offers none by mdev nor vendor VFIO.
 * Vendor VFIO names a type only where it can be made now, so running types are named by nvidia-smi, or by another card of
 * the same model that still lists them.
 */
export const readCardTypes = ({
  gpu,
  typeBook,
  occupancy,
  smi,
  gpus,
}: {
  gpu: GpuDevice
  /** The report's `vgpuTypes` taken apart, in their order. */
  typeBook: readonly TypeFacts[]
  occupancy: Occupancy
  smi: NvidiaSmi['gpus'][number] | null
  /** All of the host. */
  gpus: readonly GpuDevice[]
}): CardType[] | null => {
  const functions = gpu.virtualFunctions.filter((vf) => vf.mdevTypes !== null || vf.vendorVfio !== null)
  const parents: Parent[] = functions.length > 0 ? functions : [gpu]
  if (parents.some((parent) => parent.mdevTypes !== null)) return readMdevTypes(parents, typeBook)
  if (parents.some((parent) => parent.vendorVfio !== null))
    return readVendorTypes(
      parents.filter((parent) => parent.vendorVfio !== null),
      { occupancy, smi, sisters: sistersOf(gpu, gpus) },
    )
  return null
}
