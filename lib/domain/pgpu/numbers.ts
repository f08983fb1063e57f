import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import type { GpuDevice } from '@/lib/schemas/agent/inventory'
import { creatableFor } from './creatable-for'
import { configuredType } from './current-type'
import { definitionsGap } from './definitions-gap'
import { known, NO_MAXIMUM, unknown } from './known'
import type { PgpuFacts } from './pgpu-facts'
import type { Known, PgpuNumbers } from './types'
import type { Vgpu } from './vgpus'

const isMdev = (facts: PgpuFacts): boolean => facts.framework === 'mdev' || facts.framework === 'mdev-sriov'

/** Why a sliced card has no current type. */
const noTypeReason = (facts: PgpuFacts): string => {
  if (facts.framework === 'vendor-vfio') return 'none of its VFs has a vGPU type'
  if (facts.mdevs === null) return 'the mdevs could not be read'
  if (facts.vgpus.length > 0) return 'its mdevs have no readable type'
  if (facts.nova === null) return 'nova.conf could not be read'
  const configured = configuredType(facts)
  if (configured !== null) return `nova.conf names ${configured.typeId}, which this card does not offer`
  return facts.nova.gap ?? 'no vGPU type is set'
}

const wholeReason = (facts: PgpuFacts): string =>
  (facts.gpu.sriov?.totalVfs ?? 0) > 0 && facts.gpu.virtualFunctions.length === 0
    ? 'its virtual functions are off, so the card offers no vGPU type'
    : 'not configured for vGPU or passthrough'

const creatable = (facts: PgpuFacts, current: TypeFacts | null): Known => {
  if (facts.framework === 'none') return unknown(wholeReason(facts))
  if (facts.framework === 'passthrough') {
    const isSure = facts.occupancy.gap === null || facts.vgpus.length === facts.units.length
    return isSure ? known(facts.units.length - facts.vgpus.length) : unknown(facts.occupancy.gap ?? '')
  }
  if (current === null) return unknown(noTypeReason(facts))
  const type = facts.types?.find((entry) => entry.facts.typeId === current.typeId)
  return type === undefined ? known(0) : creatableFor(facts, type)
}

const capacity = (facts: PgpuFacts, current: TypeFacts | null, freeCapacity: Known): Known => {
  if (facts.framework === 'none') return unknown(wholeReason(facts))
  if (facts.framework === 'passthrough') return known(facts.units.length)
  if (current === null) return unknown(noTypeReason(facts))
  // The maximum of a MIG card holds for other instances than it has now.
  if (current.isMigBacked && facts.smi?.gpuInstances != null && freeCapacity.value !== null)
    return known(facts.vgpus.length + freeCapacity.value)
  const isShared = facts.sizes.size > 1
  if (current.maxInstance !== null && !isShared) return known(current.maxInstance)
  if (isMdev(facts) && facts.mdevs === null) return unknown('the mdevs could not be read')
  if (freeCapacity.value === null) return freeCapacity
  const isFullByEvidence = facts.framework !== 'mdev-sriov' || isShared
  return isFullByEvidence ? known(facts.vgpus.length + freeCapacity.value) : unknown(NO_MAXIMUM)
}

/** The first function whose vendor VFIO does not tell its type. */
const unreadFunction = (gpu: GpuDevice): { address: string } | undefined =>
  [gpu, ...gpu.virtualFunctions].find((parent) => parent.vendorVfio?.currentType === null)

/** Why the vGPUs that exist on the card can't be counted; null when they can. */
const countGap = (facts: PgpuFacts): string | null => {
  if (isMdev(facts) && facts.mdevs === null) return 'the mdevs could not be read'
  const unread = facts.framework === 'vendor-vfio' ? unreadFunction(facts.gpu) : undefined
  if (unread !== undefined) return `the vGPU type of ${unread.address} could not be read`
  if (facts.inventory.guests === null) return facts.occupancy.gap
  if (facts.framework === 'passthrough' && facts.vgpus.length < facts.units.length) return facts.occupancy.gap
  return null
}

/** Whether a vGPU of unknown state may be one in this state. */
const mayBe = (vgpu: Vgpu, state: 'used' | 'spare' | 'orphan', { occupancy }: PgpuFacts): boolean =>
  vgpu.state === 'unknown' && (state !== 'used' || vgpu.mayBeUsed === true || vgpu.reason === occupancy.gap)

const count = (facts: PgpuFacts, state: 'used' | 'spare' | 'orphan', gap: string | null): Known => {
  if (gap !== null) return unknown(gap)
  let sum = 0
  for (const vgpu of facts.vgpus) {
    if (mayBe(vgpu, state, facts)) return unknown(vgpu.reason ?? 'not reported by the host')
    if (vgpu.state === state) sum += 1
  }
  return known(sum)
}

const definitionsGapOf = ({ gpu, inventory }: PgpuFacts): string | null => {
  const parents = new Set([gpu.address, ...gpu.virtualFunctions.map((vf) => vf.address)])
  return definitionsGap(inventory, { parents })
}

const returning = (facts: PgpuFacts): Known => {
  if (facts.mdevs === null) return isMdev(facts) ? unknown('the mdevs could not be read') : known(0)
  const gap = facts.inventory.problems.length === 0 ? null : definitionsGapOf(facts)
  if (gap !== null) return unknown(gap)
  let sum = 0
  for (const { isActive, definition } of facts.mdevs) if (!isActive && definition?.start === 'auto') sum += 1
  return known(sum)
}

/**
 * The numbers of a pGPU as docs/glossary.md defines them. Every unknown carries its reason. On a healthy card
 * `capacity = used + spare + creatable`.
 */
export const pgpuNumbers = (facts: PgpuFacts, current: TypeFacts | null): PgpuNumbers => {
  const freeCapacity = creatable(facts, current)
  const gap = countGap(facts)
  return {
    capacity: capacity(facts, current, freeCapacity),
    used: count(facts, 'used', gap),
    spare: count(facts, 'spare', gap),
    orphan: count(facts, 'orphan', gap),
    returning: returning(facts),
    creatable: freeCapacity,
  }
}
