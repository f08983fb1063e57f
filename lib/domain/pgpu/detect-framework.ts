import type { NovaView } from '@/lib/domain/nova-config/nova-view'
import type { GpuDevice, Mdev } from '@/lib/schemas/agent/inventory'
import type { Framework } from '@/lib/schemas/frameworks'
import { assignedFunctions } from './assigned-functions'
import type { Occupancy } from './occupants'
import { isReservedDriver } from './vfio-driver'

/** How a card is divided, and for passthrough the functions that guests get: the card, or its VFs. */
export type Slicing = { framework: Framework; units: readonly string[] }

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
export const detectSlicing = ({
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
