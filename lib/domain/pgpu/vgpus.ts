import { occupantOf } from '@/lib/domain/host/occupants'
import { vendorTypeId } from '@/lib/domain/vgpu-type/creatable-line'
import type { Guest, Mdev } from '@/lib/schemas/agent/inventory'
import type { PgpuFacts } from './pgpu-facts'
import type { Occupant } from './types'

/** A vGPU (or a function handed out whole) that exists on a card. */
export type Vgpu = {
  /** Null for vendor VFIO and passthrough. */
  mdevUuid: string | null
  /** Function that carries it: the card or a VF. */
  address: string
  /** Null: no readable type, or handed out whole. */
  typeId: string | null
  state: 'used' | 'spare' | 'orphan' | 'unknown'
  /** Why the state is unknown; null when it is known. */
  reason: string | null
  occupant: Occupant | null
}

type Base = Omit<PgpuFacts, 'vgpus' | 'sizes'>

const firstOccupant = (guests: Guest[] | undefined): Occupant | null => {
  const guest = guests?.find((candidate) => candidate.state === 'running') ?? guests?.[0]
  return guest === undefined ? null : occupantOf(guest)
}

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

const mdevVgpus = (base: Base): Vgpu[] =>
  (base.mdevs ?? [])
    .filter((mdev) => mdev.isActive)
    .map((mdev) => {
      const occupant = firstOccupant(base.occupancy.byMdev.get(mdev.uuid))
      const { state, reason } = occupant === null ? unattachedState(mdev, base) : USED
      return { mdevUuid: mdev.uuid, address: mdev.parent, typeId: mdev.typeId, state, reason, occupant }
    })

const vendorVgpus = (base: Base): Vgpu[] =>
  [base.gpu, ...base.gpu.virtualFunctions]
    .filter((parent) => (parent.vendorVfio?.currentType ?? 0) > 0)
    .map((parent) => {
      const occupant = firstOccupant(base.occupancy.byPciAddress.get(parent.address))
      const typeId = vendorTypeId(parent.vendorVfio?.currentType ?? 0)
      const place = { mdevUuid: null, address: parent.address, typeId, occupant }
      if (occupant !== null) return { ...place, state: 'used', reason: null }
      if (base.occupancy.gap !== null) return { ...place, state: 'unknown', reason: base.occupancy.gap }
      return { ...place, state: 'spare', reason: null }
    })

const wholeFunctions = (base: Base): Vgpu[] =>
  base.units
    .map((address) => ({ address, occupant: firstOccupant(base.occupancy.byPciAddress.get(address)) }))
    .filter((unit) => unit.occupant !== null)
    .map((unit) => ({ ...unit, mdevUuid: null, typeId: null, state: 'used', reason: null }))

/**
 * The vGPUs that exist on a card: active mdevs, VFs with a vendor-VFIO type, or functions that a guest holds whole. Used when
 * a guest names it in its live or persistent XML, running or not. An unattached mdev is spare when its type is the one that
 * nova.conf gives its parent (Nova hands it out again), else orphan; an unattached vendor-VFIO vGPU is spare, since its type
 * is set outside Nova.
 */
export const listVgpus = (base: Base): Vgpu[] => {
  if (base.framework === 'vendor-vfio') return vendorVgpus(base)
  if (base.framework === 'passthrough') return wholeFunctions(base)
  return mdevVgpus(base)
}
