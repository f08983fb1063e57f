import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { type FlavorLike, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { aggregateBlockers } from '@/lib/domain/fit/host-blockers'
import { slotNeeds } from '@/lib/domain/fit/host-problem'

/**
 * Why no server of a flavor may be scheduled to a host, independent of free capacity: a property that none of its
 * aggregates has, or a trait of the compute node itself. Null: neither. `granted`: a trait that the compute node is to
 * get. Traits that a GPU's provider may have as well are checked with the GPU.
 */
export const shutOutBecause = (
  fleet: Fleet,
  joined: JoinedHost,
  flavor: FlavorLike,
  granted: string | null = null,
): string | null => {
  const [property] = aggregateBlockers(fleet, joined, flavor.extraSpecs)
  if (property !== undefined) return property.because
  const traits = joined.root.value?.traits
  const request = readFlavorRequest(flavor)
  const [plain] = request.groups
  if (traits == null || plain === undefined || slotNeeds(request).some(({ suffix }) => suffix === ''))
    return null
  const has = (trait: string): boolean => trait === granted || traits.includes(trait)
  const missing = plain.required.find((trait) => !has(trait))
  if (missing !== undefined) return `its compute node has no trait ${missing}`
  const forbidden = plain.forbidden.find(has)
  return forbidden === undefined ? null : `its compute node has the forbidden trait ${forbidden}`
}
