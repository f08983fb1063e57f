import type { NovaView } from '@/lib/domain/host/nova-view'
import type { Occupancy } from '@/lib/domain/host/occupants'
import { type AssignedType, assignedType } from '@/lib/domain/nova-config/assign-types'
import type { GpuDevice, Inventory, Mdev, NvidiaSmi } from '@/lib/schemas/agent/inventory'
import { type CardType, readCardTypes } from './card-types'
import { typeFactsById } from './current-type'
import { detectSlicing } from './detect-framework'
import type { Framework, TypeFacts } from './types'
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
  /** Functions handed out whole (passthrough). */
  units: string[]
  /** Functions on which vGPUs can be made: the card itself, or its VFs. */
  parents: string[]
  /** In the driver's order; null when the card offers no types. */
  types: CardType[] | null
  /** Whose parent is this card or one of its VFs; null when the mdevs could not be read. */
  mdevs: Mdev[] | null
  /** Type that nova.conf gives each mdev parent of this card; null when nova.conf could not be read. */
  assigned: ReadonlyMap<string, AssignedType | null> | null
  /** vGPUs that exist on the card. */
  vgpus: Vgpu[]
  /** Distinct framebuffer sizes in MiB of these vGPUs; the type id where the size is not known. */
  sizes: ReadonlySet<number | string>
}

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

/** Puts together what the host says about one card. Pure. */
export const readPgpuFacts = ({
  gpu,
  inventory,
  typeBook,
  nova,
  occupancy,
}: {
  gpu: GpuDevice
  inventory: Inventory
  typeBook: readonly TypeFacts[]
  nova: NovaView | null
  occupancy: Occupancy
}): PgpuFacts => {
  const own = new Set([gpu.address, ...gpu.virtualFunctions.map((vf) => vf.address)])
  const mdevs = inventory.mdevs?.filter((mdev) => own.has(mdev.parent)) ?? null
  const assigned =
    nova === null
      ? null
      : new Map(
          mdevParents(gpu).map((parent) => [parent, assignedType(nova.assignment, novaAddress(gpu, parent))]),
        )
  const hasConfiguredType = [...(assigned?.values() ?? [])].some((type) => type !== null)
  const slicing = detectSlicing({ gpu, mdevs: mdevs ?? [], nova, occupancy, hasConfiguredType })
  const parents = slicing.framework === 'vendor-vfio' ? vendorParents(gpu) : mdevParents(gpu)
  const smi = inventory.nvidiaSmi?.gpus.find((entry) => entry.address === gpu.address) ?? null
  const types = readCardTypes({ gpu, typeBook, occupancy, smi, gpus: inventory.gpus })
  const base = { gpu, inventory, typeBook, nova, occupancy, smi, ...slicing, parents, types, mdevs, assigned }
  const vgpus = listVgpus(base)
  const typeIds = vgpus.map((vgpu) => vgpu.typeId).filter((typeId) => typeId !== null)
  const sizes = new Set(typeIds.map((typeId) => typeFactsById(base, typeId).framebufferMib ?? typeId))
  return { ...base, vgpus, sizes }
}
