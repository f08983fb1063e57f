import { assignedType } from '@/lib/domain/nova-config/assign-types'
import type { GpuDevice } from '@/lib/schemas/agent/inventory'
import type { JoinedHost } from './fleet-types'

/** An mdev parent as nova-compute would see it at its next period. */
export type ExpectedParent = {
  pgpuAddress: string
  /** PCI address, or the sysfs name of a virtual parent. */
  address: string
  typeId: string
  /** `VGPU`, or the custom class of the type. */
  resourceClass: string
  maxInstances: number | null
  /** The parent offers the type at all. */
  isSupported: boolean
  /** Active mdevs of the type here. */
  made: number
  /** `available_instances` of the type here; null: not readable. */
  available: number | null
}

const offersOf = (device: GpuDevice): Map<string, GpuDevice['mdevTypes']> => {
  const functions = device.virtualFunctions.filter((vf) => vf.mdevTypes !== null)
  const parents = functions.length > 0 ? functions : [device]
  return new Map(parents.map((parent) => [parent.address, parent.mdevTypes]))
}

/** The parts of a host that its mdev parents depend on. */
type MdevHost = Pick<JoinedHost, 'nova'> & { host: Pick<JoinedHost['host'], 'inventory'> }

const classOf = (joined: MdevHost, typeId: string): string => {
  const type = joined.nova?.mdev.types.find((entry) => entry.typeId === typeId)
  // Nova ignores the class of a type without addresses for the inventory (nova/virt/libvirt/driver.py _get_supported_vgpu_types).
  return type === undefined || type.deviceAddresses.length === 0 ? 'VGPU' : (type.mdevClass ?? 'VGPU')
}

/** Cached by object: a dozen detectors need the parents of the same host in a round. */
const remembered = new WeakMap<MdevHost, Map<string, ExpectedParent[] | null>>()

/**
 * The mdev parents of a pGPU that nova.conf gives a type; empty when it gives none. Null when nova.conf or the mdevs could
 * not be read whole. Source: nova/virt/libvirt/driver.py _get_gpu_inventories.
 */
export const expectedParents = (joined: MdevHost, pgpuAddress: string): readonly ExpectedParent[] | null => {
  const ofHost = remembered.get(joined) ?? new Map<string, ExpectedParent[] | null>()
  remembered.set(joined, ofHost)
  const held = ofHost.get(pgpuAddress)
  if (held !== undefined) return held
  const parents = readParents(joined, pgpuAddress)
  ofHost.set(pgpuAddress, parents)
  return parents
}

const readParents = (joined: MdevHost, pgpuAddress: string): ExpectedParent[] | null => {
  const { inventory } = joined.host
  const { nova } = joined
  const device = inventory.gpus.find((gpu) => gpu.address === pgpuAddress)
  if (nova === null || nova.gap !== null || inventory.mdevs === null || device === undefined) return null
  const functions = new Set([device.address, ...device.virtualFunctions.map((vf) => vf.address)])
  const active = inventory.mdevs.filter((mdev) => mdev.isActive && functions.has(mdev.parent))
  const isVirtual = device.vendorId === null && device.classCode === null
  return [...offersOf(device)].flatMap(([address, offers]): ExpectedParent[] => {
    if (offers === null) return []
    const assigned = assignedType(nova.assignment, isVirtual ? `${address}_${address}` : address)
    if (assigned === null) return []
    const { typeId } = assigned
    const offer = offers.find(([index]) => inventory.vgpuTypes[index]?.typeId === typeId)
    const made = active.filter((mdev) => mdev.parent === address && mdev.typeId === typeId).length
    return [
      {
        pgpuAddress,
        address,
        typeId,
        resourceClass: classOf(joined, typeId),
        maxInstances: nova.mdev.types.find((type) => type.typeId === typeId)?.maxInstances ?? null,
        isSupported: offer !== undefined,
        made,
        available: offer === undefined ? 0 : offer[1],
      },
    ]
  })
}

/**
 * vGPUs that Nova would put into Placement for a pGPU at its next period, and why that is not known. Under `max_instances`
 * it depends on libvirt's order which parents count, so only the bound is known.
 */
export const expectedTotal = (
  parents: readonly ExpectedParent[] | null,
): { value: number; isBound: boolean; reason: null } | { value: null; isBound: false; reason: string } => {
  if (parents === null)
    return { value: null, isBound: false, reason: 'nova.conf or the mdevs could not be read' }
  const unread = parents.find((parent) => parent.available === null)
  if (unread !== undefined)
    return {
      value: null,
      isBound: false,
      reason: `available_instances of ${unread.address} could not be read`,
    }
  const types = [...new Set(parents.map(({ typeId }) => typeId))]
  const totals = types.map((typeId) => totalOfType(parents.filter((parent) => parent.typeId === typeId)))
  return {
    value: totals.reduce((sum, total) => sum + total, 0),
    isBound: parents.some(({ maxInstances }) => maxInstances !== null),
    reason: null,
  }
}

/** VFs of one card can have different types, and `max_instances` counts for each type. */
const totalOfType = (parents: readonly ExpectedParent[]): number => {
  const sum = parents.reduce((total, { made, available }) => total + made + (available ?? 0), 0)
  return Math.min(sum, parents[0]?.maxInstances ?? sum)
}

/** Whether nova-compute puts PCI devices into Placement; null when nova.conf could not be read. */
export const isPciInPlacement = ({ nova }: JoinedHost): boolean | null => nova?.isPciReported ?? null
