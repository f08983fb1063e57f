import { definitionsGap } from '@/lib/domain/host/definitions-gap'
import { configuredType } from './current-type'
import { known, unknown } from './known'
import type { PgpuFacts } from './pgpu-facts'
import { roomFor } from './room'
import type { Known, PgpuNumbers, TypeFacts } from './types'

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
    ? 'its virtual functions are off, so it offers no vGPU type'
    : 'neither sliced nor handed out whole'

const creatable = (facts: PgpuFacts, current: TypeFacts | null): Known => {
  if (facts.framework === 'none') return unknown(wholeReason(facts))
  if (facts.framework === 'passthrough') {
    const isSure = facts.occupancy.gap === null || facts.vgpus.length === facts.units.length
    return isSure ? known(facts.units.length - facts.vgpus.length) : unknown(facts.occupancy.gap ?? '')
  }
  if (current === null) return unknown(noTypeReason(facts))
  const type = facts.types?.find((entry) => entry.facts.typeId === current.typeId)
  return type === undefined ? known(0) : roomFor(facts, type)
}

const capacity = (facts: PgpuFacts, current: TypeFacts | null, room: Known): Known => {
  if (facts.framework === 'none') return unknown(wholeReason(facts))
  if (facts.framework === 'passthrough') return known(facts.units.length)
  if (current === null) return unknown(noTypeReason(facts))
  const isShared = facts.sizes.size > 1
  if (current.maxInstance !== null && !isShared) return known(current.maxInstance)
  if (isMdev(facts) && facts.mdevs === null) return unknown('the mdevs could not be read')
  if (room.value === null) return room
  const isFullByEvidence = facts.framework !== 'mdev-sriov' || isShared
  return isFullByEvidence
    ? known(facts.vgpus.length + room.value)
    : unknown('the driver does not say how many fit on the card')
}

/** Why the vGPUs that exist on the card can't be counted; null when they can. */
const countGap = (facts: PgpuFacts): string | null => {
  if (isMdev(facts) && facts.mdevs === null) return 'the mdevs could not be read'
  const unread = [facts.gpu, ...facts.gpu.virtualFunctions].find(
    (parent) => parent.vendorVfio !== null && parent.vendorVfio.currentType === null,
  )
  if (facts.framework === 'vendor-vfio' && unread !== undefined)
    return `the vGPU type of ${unread.address} could not be read`
  if (facts.occupancy.isUnreadable) return facts.occupancy.gap
  if (facts.framework === 'passthrough' && facts.vgpus.length < facts.units.length) return facts.occupancy.gap
  return null
}

const count = (facts: PgpuFacts, state: 'used' | 'spare' | 'orphan'): Known => {
  const gap = countGap(facts)
  if (gap !== null) return unknown(gap)
  const unsure = facts.vgpus.filter((vgpu) => vgpu.state === 'unknown')
  const blocking = state === 'used' ? unsure.find((vgpu) => vgpu.reason === facts.occupancy.gap) : unsure[0]
  if (blocking !== undefined) return unknown(blocking.reason ?? 'not told by the host')
  return known(facts.vgpus.filter((vgpu) => vgpu.state === state).length)
}

const returning = (facts: PgpuFacts): Known => {
  if (facts.mdevs === null) return isMdev(facts) ? unknown('the mdevs could not be read') : known(0)
  const parents = new Set([facts.gpu.address, ...facts.gpu.virtualFunctions.map((vf) => vf.address)])
  const gap = definitionsGap(facts.inventory, { parents })
  if (gap !== null) return unknown(gap)
  return known(facts.mdevs.filter((mdev) => !mdev.isActive && mdev.definition?.start === 'auto').length)
}

/**
 * The numbers of a pGPU as docs/glossary.md defines them. Every unknown carries its reason. On a healthy card
 * `capacity = used + spare + creatable`.
 */
export const pgpuNumbers = (facts: PgpuFacts, current: TypeFacts | null): PgpuNumbers => {
  const room = creatable(facts, current)
  return {
    capacity: capacity(facts, current, room),
    used: count(facts, 'used'),
    spare: count(facts, 'spare'),
    orphan: count(facts, 'orphan'),
    returning: returning(facts),
    creatable: room,
  }
}
