import { parseCreatableLine, vendorTypeId } from '@/lib/domain/vgpu-type/creatable-line'
import { type PublishedCard, publishedType } from '@/lib/domain/vgpu-type/published-types'
import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import { readVendorType, type SmiType } from '@/lib/domain/vgpu-type/read-vendor-type'
import type { GpuDevice, NvidiaSmi, TypeAvailability, VendorVfio } from '@/lib/schemas/agent/inventory'
import { cardOf } from './model-names'
import type { Occupancy } from './occupants'

/** A type that a card offers, and how many more each of its parents (the card, or its VFs) reports as available now. */
export type CardType = {
  facts: TypeFacts
  /** mdev: `available_instances` of each parent, null when unreadable. Vendor VFIO: 1 for each VF that lists the type. */
  availability: { parent: string; available: number | null }[]
  /** Vendor VFIO: VFs whose list of types could not be read. */
  unreadCount: number
  /** What nvidia-smi reports of the type on this card; null: nothing. */
  reported: SmiType | null
  /** vGPUs of the type that one GPU instance holds; null: unknown, or not MIG-backed. */
  maxPerInstance: number | null
}

/** The contract's bound on an mdev parent's types, kept for vendor VFIO too. */
const MAX_TYPES = 512

type Parent = { address: string; mdevTypes: TypeAvailability[] | null; vendorVfio: VendorVfio | null }

type SmiCard = NvidiaSmi['gpus'][number] | null

const reportedType = (smi: SmiCard, typeId: string): SmiType | null =>
  smi?.vgpuTypes?.find(({ id }) => vendorTypeId(id) === typeId) ?? null

/** Additional facts of a type: nvidia-smi's own numbers first, then the published ones. */
const limitsOf = (facts: TypeFacts, smi: SmiCard, card: PublishedCard) => {
  const reported = reportedType(smi, facts.typeId)
  const published = facts.isMigBacked ? publishedType(facts.shortName, card) : null
  return { reported, maxPerInstance: reported?.maxPerInstance ?? published?.maxPerInstance ?? null }
}

const readMdevTypes = (
  parents: Parent[],
  { typeBook, smi, card }: { typeBook: readonly TypeFacts[]; smi: SmiCard; card: PublishedCard },
): CardType[] => {
  const types = new Map<number, CardType>()
  for (const parent of parents)
    for (const [index, available] of parent.mdevTypes ?? []) {
      const worded = typeBook[index]
      if (worded === undefined) continue
      const held = types.get(index)
      const entry = { parent: parent.address, available }
      if (held === undefined) {
        const limits = limitsOf(worded, smi, card)
        const facts =
          worded.maxInstance === null && limits.reported !== null
            ? { ...worded, maxInstance: limits.reported.maxInstances }
            : worded
        types.set(index, { facts, availability: [entry], unreadCount: 0, ...limits })
      } else held.availability.push(entry)
    }
  return mergeWordings([...types.values()])
}

/** One type id with two texts on one card is one type: the first text is used. */
const mergeWordings = (types: CardType[]): CardType[] => {
  const byId = new Map<string, CardType>()
  for (const type of types) {
    const held = byId.get(type.facts.typeId)
    if (held === undefined) byId.set(type.facts.typeId, type)
    else held.availability.push(...type.availability)
  }
  return [...byId.values()]
}

/** Names of running vendor-VFIO types from nvidia-smi, by the guest that uses the VF. */
const namesFromSmi = (parents: Parent[], occupancy: Occupancy, smi: SmiCard): Map<number, string> => {
  const names = new Map<number, string>()
  const vgpus = smi?.vgpus ?? []
  const running = parents.filter((parent) => (parent.vendorVfio?.currentType ?? 0) > 0)
  for (const parent of running) {
    const holders = new Set((occupancy.byPciAddress.get(parent.address) ?? []).map((guest) => guest.uuid))
    const heldVgpus = vgpus.filter((vgpu) => vgpu.guestUuid !== null && holders.has(vgpu.guestUuid))
    const distinct = new Set(heldVgpus.map((vgpu) => vgpu.typeName))
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
    card,
  }: { occupancy: Occupancy; smi: SmiCard; sisters: readonly GpuDevice[]; card: PublishedCard },
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
    .slice(0, MAX_TYPES)
    .map((id) => {
      const typeId = vendorTypeId(id)
      const facts = readVendorType({
        typeId,
        name: names.get(id) ?? nameFromSisters(id, sisters),
        card,
        reported: reportedType(smi, typeId),
      })
      return { facts, availability: offers.get(id) ?? [], unreadCount, ...limitsOf(facts, smi, card) }
    })
}

/**
 * The types that a card offers, taken apart, in the driver's order; null when it offers none by mdev nor vendor VFIO.
 * Vendor VFIO names a type only where it can be created now, so running types are named by nvidia-smi, or by another card of
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
  const card = cardOf({ gpu, smi })
  if (parents.some((parent) => parent.mdevTypes !== null))
    return readMdevTypes(parents, { typeBook, smi, card })
  if (parents.some((parent) => parent.vendorVfio !== null))
    return readVendorTypes(
      parents.filter((parent) => parent.vendorVfio !== null),
      { occupancy, smi, sisters: sistersOf(gpu, gpus), card },
    )
  return null
}
