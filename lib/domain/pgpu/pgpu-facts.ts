import { type AssignedType, assignedType } from '@/lib/domain/nova-config/assign-types'
import type { NovaView } from '@/lib/domain/nova-config/nova-view'
import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { GpuDevice, Inventory, Mdev, NvidiaSmi } from '@/lib/schemas/agent/inventory'
import type { Framework } from '@/lib/schemas/frameworks'
import { type CardType, readCardTypes } from './card-types'
import { detectSlicing } from './detect-framework'
import type { Occupancy } from './occupants'
import type { Pgpu } from './types'
import { listVgpus, type Vgpu } from './vgpus'

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
