import { aliasTakes, offerOfSpec, type PciOffer } from '@/lib/domain/nova-config/alias-takes'
import { type AssignedType, assignedType } from '@/lib/domain/nova-config/assign-types'
import { listedIn, vfIds } from '@/lib/domain/nova-config/listed-functions'
import type { NovaView } from '@/lib/domain/nova-config/nova-view'
import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { GpuDevice, Inventory, Mdev, NvidiaSmi } from '@/lib/schemas/agent/inventory'
import type { Framework } from '@/lib/schemas/frameworks'
import { type CardType, readCardTypes } from './card-types'
import { hostScheduling, wholeOffer } from './handed-out-by'
import type { Occupancy } from './occupants'
import type { Pgpu } from './types'
import { isReservedDriver } from './vfio-driver'
import { listVgpus, type Vgpu } from './vgpus'

/**
 * The functions of a card that Nova assigns by `[pci] device_spec`, with any driver: libvirt rebinds a device
 * when a server starts with it. Where an entry matches both the card and its VFs, `device_type` of the aliases decides;
 * without an alias the VFs count, since Nova assigns a PF only on request (nova/pci/stats.py
 * _filter_pools_for_unrequested_pfs).
 */
const assignedFunctions = (gpu: GpuDevice, nova: NovaView | null): string[] => {
  if (nova === null) return []
  const listed = listedIn(nova.deviceSpecs.specs, gpu)
  const whole = listed.find(({ isVf }) => !isVf)
  const vfs = listed.filter(({ isVf }) => isVf)
  if (whole === undefined || vfs.length === 0) return listed.map(({ address }) => address)
  const rules = hostScheduling(nova)
  const isWanted = (offer: PciOffer): boolean =>
    nova.aliases.some((alias) => aliasTakes(alias, offer) !== false)
  const isVfWanted = vfs.some(({ spec }) =>
    isWanted(offerOfSpec(spec, { ...vfIds(gpu), deviceType: 'type-VF' }, rules)),
  )
  return !isVfWanted && isWanted(wholeOffer(gpu, whole.spec, rules))
    ? [whole.address]
    : vfs.map(({ address }) => address)
}

/** How a card is divided, and for passthrough the functions that guests get: the card, or its VFs. */
type Slicing = { framework: Framework; units: readonly string[] }

const isReserved = (driver: string | null): boolean => driver !== null && isReservedDriver(driver)

const passthroughUnits = (gpu: GpuDevice, nova: NovaView | null, occupancy: Occupancy): string[] => {
  const isHeld = (address: string): boolean =>
    occupancy.byPciAddress.has(address) || occupancy.byOthers.has(address)
  if (isHeld(gpu.address)) return [gpu.address]
  const assigned = new Set(assignedFunctions(gpu, nova))
  if (assigned.has(gpu.address)) return [gpu.address]
  const functionsThat = (isMeant: (vf: GpuDevice['virtualFunctions'][number]) => boolean): string[] =>
    gpu.virtualFunctions.filter(isMeant).map((vf) => vf.address)
  if (assigned.size > 0) return functionsThat((vf) => assigned.has(vf.address) || isHeld(vf.address))
  if (isReserved(gpu.driver)) return [gpu.address]
  return functionsThat((vf) => isReserved(vf.driver) || isHeld(vf.address))
}

const NO_UNITS: readonly string[] = []

const sliced = (framework: Framework): Slicing => ({ framework, units: NO_UNITS })

const hasVendorVfio = ({ vendorVfio, virtualFunctions }: GpuDevice): boolean =>
  vendorVfio !== null || virtualFunctions.some((vf) => vf.vendorVfio !== null)

/**
 * Detects how a card is sliced from the facts of its host, never from its generation. VFs with mdev types → `mdev-sriov`;
 * own mdev types → `mdev`; NVIDIA's `nvidia/` folder → `vendor-vfio`; bound to a VFIO driver, used by a guest as a PCI
 * device, or named by `[pci] device_spec` while nothing slices it → `passthrough`. An mdev-capable card without a type in
 * nova.conf and without mdevs that `device_spec` names is in passthrough.
 */
const detectSlicing = ({
  gpu,
  mdevs,
  nova,
  occupancy,
  hasConfiguredType,
}: {
  gpu: GpuDevice
  /** Those whose parent is this card or one of its VFs. */
  mdevs: readonly Mdev[]
  nova: NovaView | null
  occupancy: Occupancy
  hasConfiguredType: boolean
}): Slicing => {
  const active = mdevs.filter((mdev) => mdev.isActive)
  const isOnVf = gpu.virtualFunctions.some((vf) => vf.mdevTypes !== null)
  if (isOnVf || active.some((mdev) => mdev.parent !== gpu.address)) return sliced('mdev-sriov')
  const isMdev = gpu.mdevTypes !== null || active.length > 0
  if (isMdev && (active.length > 0 || hasConfiguredType)) return sliced('mdev')
  if (!isMdev && hasVendorVfio(gpu)) return sliced('vendor-vfio')
  const units = passthroughUnits(gpu, nova, occupancy)
  if (units.length > 0) return { framework: 'passthrough', units }
  return sliced(isMdev ? 'mdev' : 'none')
}

/** What the reading of one card starts from: its own part of the report, with the host's around it. */
export type PgpuFacts = {
  gpu: GpuDevice
  inventory: Inventory
  /** The report's `vgpuTypes` taken apart, in their order. */
  typeBook: readonly TypeFacts[]
  nova: NovaView | null
  occupancy: Occupancy
  smi: NvidiaSmi['gpus'][number] | null
  framework: Framework
  /** Functions in passthrough. */
  units: readonly string[]
  /** Functions on which vGPUs can be made: the card itself, or its VFs. */
  parents: readonly string[]
  /** In the driver's order; null when the card offers no types. */
  types: CardType[] | null
  /** Whose parent is this card or one of its VFs; null when the mdevs could not be read. */
  mdevs: readonly Mdev[] | null
  /** Type that nova.conf gives each mdev parent of this card; null when nova.conf could not be read. */
  assigned: ReadonlyMap<string, AssignedType | null> | null
  /** vGPUs that exist on the card. */
  vgpus: readonly Vgpu[]
  /** Distinct framebuffer sizes in MiB of these vGPUs; the type id where the size is not known. */
  sizes: ReadonlySet<number | string>
}

/** A pGPU with the facts that it was read from. */
export type Card = { facts: PgpuFacts; pgpu: Pgpu }

/** sysfs names of the mdev parents of a card: itself, or those VFs that offer types. */
const mdevParents = (gpu: GpuDevice): string[] => {
  const functions = gpu.virtualFunctions.filter((vf) => vf.mdevTypes !== null).map((vf) => vf.address)
  if (functions.length > 0) return functions
  return gpu.mdevTypes === null ? [] : [gpu.address]
}

const vendorParents = (gpu: GpuDevice): string[] =>
  [gpu, ...gpu.virtualFunctions]
    .filter((parent) => parent.vendorVfio !== null)
    .map((parent) => parent.address)

/** Nova calls the kernel's mtty sample by libvirt's name, `mtty_mtty`. */
const novaAddress = (gpu: GpuDevice, parent: string): string =>
  gpu.vendorId === null && gpu.classCode === null ? `${parent}_${parent}` : parent

const assignedTo = (gpu: GpuDevice, { assignment }: NovaView): NonNullable<PgpuFacts['assigned']> =>
  new Map(mdevParents(gpu).map((parent) => [parent, assignedType(assignment, novaAddress(gpu, parent))]))

const namesAny = (assigned: PgpuFacts['assigned']): boolean => {
  if (assigned === null) return false
  for (const type of assigned.values()) if (type !== null) return true
  return false
}

const sizesOf = (vgpus: readonly Vgpu[]): PgpuFacts['sizes'] => {
  const sizes = new Set<number | string>()
  for (const { typeId, type } of vgpus) if (typeId !== null) sizes.add(type?.framebufferMib ?? typeId)
  return sizes
}

const NO_MDEVS: readonly Mdev[] = []
/** Collects what the host reports about one card. Pure. */
export const readPgpuFacts = ({
  gpu,
  inventory,
  typeBook,
  nova,
  occupancy,
  mdevs,
}: Pick<PgpuFacts, 'gpu' | 'inventory' | 'typeBook' | 'nova' | 'occupancy' | 'mdevs'>): PgpuFacts => {
  const assigned = nova && assignedTo(gpu, nova)
  const { framework, units } = detectSlicing({
    gpu,
    mdevs: mdevs ?? NO_MDEVS,
    nova,
    occupancy,
    hasConfiguredType: namesAny(assigned),
  })
  const smi = inventory.nvidiaSmi?.gpus.find((entry) => entry.address === gpu.address) ?? null
  const types = readCardTypes({ gpu, typeBook, occupancy, smi, gpus: inventory.gpus })
  const parents = framework === 'vendor-vfio' ? vendorParents(gpu) : mdevParents(gpu)
  const base = {
    gpu,
    inventory,
    typeBook,
    nova,
    occupancy,
    smi,
    framework,
    units,
    parents,
    types,
    mdevs,
    assigned,
  }
  const vgpus = listVgpus(base)
  return { ...base, vgpus, sizes: sizesOf(vgpus) }
}
