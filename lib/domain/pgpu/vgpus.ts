import { vendorTypeId } from '@/lib/domain/vgpu-type/creatable-line'
import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { Guest, Mdev } from '@/lib/schemas/agent/inventory'
import { typeFactsById } from './current-type'
import { addDriverUse } from './driver-use'
import { firstHolder, occupantOf } from './occupants'
import type { PgpuFacts } from './pgpu-facts'
import type { Occupant } from './types'

/** A vGPU (or a function in passthrough) that exists on a card. */
export type Vgpu = {
  /** Null for vendor VFIO and passthrough. */
  mdevUuid: string | null
  /** Function that carries it: the card or a VF. */
  address: string
  /** Null: no readable type, or passthrough. */
  typeId: string | null
  /** Its type as the card's driver words it. */
  type: TypeFacts | null
  state: 'used' | 'spare' | 'orphan' | 'unknown'
  /** Why the state is unknown; null when it is known. */
  reason: string | null
  /** Of an unknown state that NVIDIA's driver reports as used by one of several. */
  mayBeUsed?: true
  /** The guest that is shown as its occupant. */
  holder: Guest | null
  occupant: Occupant | null
}

type Base = Omit<PgpuFacts, 'vgpus' | 'sizes'>

/** The state of an mdev that no known guest names. */
const unattachedState = (mdev: Mdev, base: Base): Pick<Vgpu, 'state' | 'reason'> => {
  const unsure = (reason: string): Pick<Vgpu, 'state' | 'reason'> => ({ state: 'unknown', reason })
  if (base.occupancy.gap !== null) return unsure(base.occupancy.gap)
  if (mdev.typeId === null) return unsure('an mdev has no readable type')
  if (base.nova === null || base.assigned === null) return unsure('nova.conf could not be read')
  const isConfigured = base.assigned.get(mdev.parent)?.typeId === mdev.typeId
  if (base.nova.gap !== null) return unsure(base.nova.gap)
  return { state: isConfigured ? 'spare' : 'orphan', reason: null }
}

const USED = { state: 'used', reason: null } as const

const mdevVgpu = (mdev: Mdev, base: Base): Vgpu => {
  const { uuid, parent, typeId } = mdev
  const holder = firstHolder(base.occupancy.byMdev.get(uuid))
  const other = base.occupancy.byOthers.get(uuid)?.occupant ?? null
  const { state, reason } = holder === null && other === null ? unattachedState(mdev, base) : USED
  return {
    mdevUuid: uuid,
    address: parent,
    typeId,
    type: typeId === null ? null : typeFactsById(base, typeId),
    state,
    reason,
    holder,
    occupant: holder === null ? other : occupantOf(holder),
  }
}

const vendorVgpus = (base: Base): Vgpu[] =>
  [base.gpu, ...base.gpu.virtualFunctions]
    .filter((parent) => (parent.vendorVfio?.currentType ?? 0) > 0)
    .map((parent) => {
      const holder = firstHolder(base.occupancy.byPciAddress.get(parent.address))
      const typeId = vendorTypeId(parent.vendorVfio?.currentType ?? 0)
      const type = typeFactsById(base, typeId)
      const location = { mdevUuid: null, address: parent.address, typeId, type }
      if (holder !== null) return { ...location, ...USED, holder, occupant: occupantOf(holder) }
      const { gap, byOthers } = base.occupancy
      const other = byOthers.get(parent.address)
      if (other !== undefined) return { ...location, ...USED, holder, occupant: other.occupant }
      return { ...location, state: gap === null ? 'spare' : 'unknown', reason: gap, holder, occupant: null }
    })

const wholeFunctions = (base: Base): Vgpu[] =>
  base.units.flatMap((address) => {
    const holder = firstHolder(base.occupancy.byPciAddress.get(address))
    const occupant = holder === null ? base.occupancy.byOthers.get(address)?.occupant : occupantOf(holder)
    if (occupant === undefined) return []
    return [{ mdevUuid: null, address, typeId: null, type: null, ...USED, holder, occupant }]
  })

/**
 * The vGPUs that exist on a card: active mdevs, VFs with a vendor-VFIO type, or functions that a guest holds whole. Used when
 * a guest names it in its live or persistent XML, running or not, or when a process or NVIDIA's driver has it in use. An
 * unattached mdev is spare when its type is the one that nova.conf gives its parent (Nova hands it out again), else orphan;
 * an unattached vendor-VFIO vGPU is spare, since its type is set outside Nova.
 */
export const listVgpus = (base: Base): Vgpu[] => {
  if (base.framework === 'passthrough') return wholeFunctions(base)
  const vgpus =
    base.framework === 'vendor-vfio'
      ? vendorVgpus(base)
      : (base.mdevs ?? []).filter((mdev) => mdev.isActive).map((mdev) => mdevVgpu(mdev, base))
  return addDriverUse(vgpus, base.smi)
}
