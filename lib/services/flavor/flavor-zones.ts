import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { naturalOrder } from '@/lib/util/natural-order'

/** Availability zones of nova-compute services. */
export const zonesOf = ({ input }: Fleet): string[] =>
  [
    ...new Set(
      (input.facts.services.value ?? [])
        .map(({ availabilityZone }) => availabilityZone)
        .filter((zone) => zone !== null),
    ),
  ].toSorted(naturalOrder)

/**
 * What Nova adds to the query for a zone: any of the aggregates that make it. Null for a zone without one, such as the default.
 * Source: nova/scheduler/request_filter.py map_az_to_placement_aggregate.
 */
export const memberOfZone = ({ input }: Fleet, zone: string | null): string | null => {
  if (zone === null) return null
  const uuids = (input.facts.aggregates.value ?? [])
    .filter(({ availabilityZone }) => availabilityZone === zone)
    .map(({ uuid }) => uuid)
  return uuids.length === 0 ? null : `in:${uuids.join(',')}`
}
