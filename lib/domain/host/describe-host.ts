import type { HostFacts } from '@/lib/domain/host-findings/detector'
import { detectOnHost } from '@/lib/domain/host-findings/registry'
import { describeNovaOptions } from '@/lib/domain/nova-config/describe-options'
import type { DeviceSpec } from '@/lib/domain/nova-config/device-spec'
import { listedIn } from '@/lib/domain/nova-config/listed-functions'
import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import { rangeOf, readNovaView } from '@/lib/domain/nova-config/nova-view'
import { typeFactsById } from '@/lib/domain/pgpu/current-type'
import { definitionsGap } from '@/lib/domain/pgpu/definitions-gap'
import { type DescriptionDetail, describePgpu } from '@/lib/domain/pgpu/describe-pgpu'
import { isGpu } from '@/lib/domain/pgpu/is-gpu'
import { firstHolder, type Occupancy, occupantOf, readOccupancy } from '@/lib/domain/pgpu/occupants'
import { type Card, type PgpuFacts, readPgpuFacts } from '@/lib/domain/pgpu/pgpu-facts'
import type { HostFinding, Occupant } from '@/lib/domain/pgpu/types'
import type { Vgpu } from '@/lib/domain/pgpu/vgpus'
import { vendorTypeId } from '@/lib/domain/vgpu-type/creatable-line'
import { readTypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { GpuDevice, Guest, Inventory, Mdev } from '@/lib/schemas/agent/inventory'
import type { DescribedGuest, DescribedMdev, GuestHolding, HostDescription, MdevState } from './types'

/** An active mdev has the state of its card's vGPU; of one without a card it is known at least whether it is in use. */
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

const nameOf = (typeId: string, inventory: Inventory, card: PgpuFacts | undefined): string | null => {
  if (card !== undefined) return typeFactsById(card, typeId).name
  const wording = inventory.vgpuTypes.find((type) => type.typeId === typeId)
  return wording === undefined ? null : readTypeFacts(wording).name
}

const occupantOn = (mdev: Mdev, vgpu: Vgpu | undefined, occupancy: Occupancy): Occupant | null => {
  if (vgpu !== undefined) return vgpu.occupant
  const holder = firstHolder(occupancy.byMdev.get(mdev.uuid))
  return holder === null ? (occupancy.byOthers.get(mdev.uuid)?.occupant ?? null) : occupantOf(holder)
}

/** What the mdevs of an inventory are described by. */
type MdevContext = { occupancy: Occupancy; owners: ReadonlyMap<string, Card>; cards: readonly Card[] }

const vgpusByMdev = (cards: readonly Card[]): ReadonlyMap<string, Vgpu> => {
  const vgpus = new Map<string, Vgpu>()
  for (const { facts } of cards)
    for (const vgpu of facts.vgpus) if (vgpu.mdevUuid !== null) vgpus.set(vgpu.mdevUuid, vgpu)
  return vgpus
}

/** Every mdev of the host with its pGPU, state and guest; null when the mdevs could not be read. */
const describeMdevs = (
  inventory: Inventory,
  { occupancy, owners, cards }: MdevContext,
): DescribedMdev[] | null => {
  const vgpus = vgpusByMdev(cards)
  const describe = (mdev: Mdev): DescribedMdev => {
    const card = owners.get(mdev.parent)?.facts
    const vgpu = vgpus.get(mdev.uuid)
    const typeId = mdev.typeId ?? (mdev.isActive ? null : (mdev.definition?.typeId ?? null))
    const occupant = occupantOn(mdev, vgpu, occupancy)
    const isKnownAsDefined = isDefined(inventory, mdev)
    return {
      uuid: mdev.uuid,
      pgpuAddress: card?.gpu.address ?? null,
      parent: mdev.parent,
      typeId,
      typeName: typeId === null ? null : nameOf(typeId, inventory, card),
      isActive: mdev.isActive,
      isDefined: isKnownAsDefined,
      isAutostart: isKnownAsDefined === true ? mdev.definition?.start === 'auto' : isKnownAsDefined,
      state: stateOf(mdev, vgpu?.state, occupant !== null),
      occupant,
    }
  }
  return inventory.mdevs?.map(describe) ?? null
}

/** What the guests of an inventory are described by. */
type GuestContext = { owners: ReadonlyMap<string, Card>; cards: readonly Card[] }

/** Something that a guest holds of a card. */
type Held = { card: Card; typeId: string | null }

const typeOfMdev = ({ typeId, isActive, definition }: Mdev): string | null =>
  typeId ?? (isActive ? null : (definition?.typeId ?? null))

/** The vGPU types of VFs that run one by vendor VFIO. */
const vendorTypes = (cards: readonly Card[]): ReadonlyMap<string, string> => {
  const types = new Map<string, string>()
  for (const { facts } of cards)
    for (const { address, vendorVfio } of facts.gpu.virtualFunctions) {
      const running = vendorVfio?.currentType ?? 0
      if (running > 0) types.set(address, vendorTypeId(running))
    }
  return types
}

const { compare } = new Intl.Collator('en')

const byAddressAndType = (a: GuestHolding, b: GuestHolding): number =>
  compare(a.pgpuAddress, b.pgpuAddress) || compare(a.typeId ?? '', b.typeId ?? '')

/**
 * Every guest of the host with the pGPUs it holds something of, in the order of the host's GPUs; null when the guests could
 * not be read. The order in which a guest's XML names its devices means nothing.
 */
const describeGuests = (inventory: Inventory, { owners, cards }: GuestContext): DescribedGuest[] | null => {
  const mdevs = new Map((inventory.mdevs ?? []).map((mdev) => [mdev.uuid, mdev]))
  const types = vendorTypes(cards)
  const heldBy = (guest: Guest): Held[] => {
    const held: Held[] = []
    for (const { uuid } of guest.mdevs) {
      const mdev = mdevs.get(uuid)
      const card = owners.get(mdev?.parent ?? '')
      if (mdev !== undefined && card !== undefined) held.push({ card, typeId: typeOfMdev(mdev) })
    }
    for (const { address } of guest.pciDevices) {
      const card = owners.get(address)
      if (card !== undefined) held.push({ card, typeId: types.get(address) ?? null })
    }
    return held
  }
  const addressesOf = (held: readonly Held[]): string[] => {
    const own = new Set(held.map(({ card }) => card))
    const inOrder = own.size < 2 ? [...own] : cards.filter((card) => own.has(card))
    return inOrder.map(({ pgpu }) => pgpu.address)
  }
  const describe = (guest: Guest): DescribedGuest => {
    const held = heldBy(guest)
    const areHoldingsKnown = inventory.mdevs !== null || guest.mdevs.length === 0
    const holdings = held.map(({ card, typeId }) => ({ pgpuAddress: card.pgpu.address, typeId }))
    return Object.assign(occupantOf(guest), {
      pgpuAddresses: addressesOf(held),
      holdings: areHoldingsKnown ? holdings.toSorted(byAddressAndType) : null,
    })
  }
  return inventory.guests?.map(describe) ?? null
}

const mdevsOn = ({ address, virtualFunctions }: GpuDevice, mdevs: readonly Mdev[] | null): Mdev[] | null => {
  if (virtualFunctions.length === 0) return mdevs?.filter(({ parent }) => parent === address) ?? null
  const own = new Set([address, ...virtualFunctions.map((vf) => vf.address)])
  return mdevs?.filter(({ parent }) => own.has(parent)) ?? null
}

const readCards = (
  inventory: Inventory,
  { nova, occupancy, detail }: { nova: HostFacts['nova']; occupancy: Occupancy; detail: DescriptionDetail },
): Card[] => {
  const all = nova?.deviceSpecs.specs ?? []
  // What matches a card is found once for each list.
  const specs = all.every(isNamed) ? all : all.filter(isNamed)
  const typeBook = inventory.vgpuTypes.map(readTypeFacts)
  return inventory.gpus
    .filter((gpu) => isGpu(gpu, inventory.vgpuTypes) || isAssigned(gpu, specs))
    .map((gpu) => {
      const mdevs = mdevsOn(gpu, inventory.mdevs)
      const facts = readPgpuFacts({ gpu, inventory, typeBook, nova, occupancy, mdevs })
      return { facts, pgpu: describePgpu(facts, detail) }
    })
}

/**
 * An accelerator of any vendor that Nova assigns by an entry which names it. An entry that matches every device does not count.
 * The agent lists display controllers and accelerators only.
 */
const isAssigned = (gpu: GpuDevice, named: readonly DeviceSpec[]): boolean =>
  gpu.vendorId !== null && listedIn(named, gpu).length > 0

const isNamed = ({ vendor_id, product_id, address }: DeviceSpec): boolean =>
  (vendor_id ?? product_id ?? address) !== undefined

/** The card that each function belongs to: the card's own address, and its VFs. */
const ownersOf = (cards: readonly Card[]): HostFacts['owners'] => {
  const owners = new Map<string, Card>()
  for (const card of cards) {
    const { address, virtualFunctions } = card.facts.gpu
    owners.set(address, card)
    for (const vf of virtualFunctions) owners.set(vf.address, card)
  }
  return owners
}

/** By the address of the pGPU; null is the host itself. */
const findingsOf = (host: HostFacts): Map<string | null, HostFinding[]> => {
  const byAddress = new Map<string | null, HostFinding[]>()
  for (const { pgpuAddress, code, severity, sentence, detail } of detectOnHost(host)) {
    const finding = { code, severity, sentence, detail }
    const held = byAddress.get(pgpuAddress)
    if (held === undefined) byAddress.set(pgpuAddress, [finding])
    else held.push(finding)
  }
  return byAddress
}

/**
 * Interprets an inventory: every pGPU with its framework, types, numbers, cells and findings, every mdev and guest with
 * its pGPU, and the lines of nova.conf. Pure: equal inventories give equal descriptions. Time and memory grow linearly
 * with the size of the report, for any content. `detail`: what is left empty. `range`: the releases of the cloud's Nova,
 * whose rules apply if the agent does not report the version of nova-compute; null: those of the newest.
 */
export const describeHost = (
  inventory: Inventory,
  { detail = 'page', range = null }: { detail?: DescriptionDetail; range?: NovaRange | null } = {},
): HostDescription => {
  const occupancy = readOccupancy(inventory)
  const own = rangeOf(inventory, range)
  const view = readNovaView(inventory, own)
  const cards = readCards(inventory, { nova: view, occupancy, detail })
  const novaGap = view === null ? 'nova.conf could not be read' : view.gap
  const nova = novaGap === null ? view : null
  const owners = ownersOf(cards)
  const findings = findingsOf({ inventory, range: own, nova, novaGap, occupancy, cards, owners })
  return {
    pgpus: cards.map(({ pgpu }) => ({ ...pgpu, findings: findings.get(pgpu.address) ?? [] })),
    mdevs: describeMdevs(inventory, { occupancy, owners, cards }),
    guests: describeGuests(inventory, { owners, cards }),
    guestGap: occupancy.gap,
    findings: findings.get(null) ?? [],
    novaOptions:
      inventory.novaConfig === null || detail !== 'page' ? null : describeNovaOptions(inventory.novaConfig),
  }
}
