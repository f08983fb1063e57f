import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { HostAggregate } from '@/lib/domain/cloud/types'

/** The fleet with more hosts in some aggregates, by the names of their nova-compute. */
export const addToAggregates = (
  fleet: Fleet,
  { names, isIn }: { names: readonly string[]; isIn: (aggregate: HostAggregate) => boolean },
): Fleet => {
  const { aggregates } = fleet.input.facts
  if (aggregates.value === null) return fleet
  const value = aggregates.value.map((each) =>
    isIn(each) ? { ...each, hosts: [...each.hosts, ...names] } : each,
  )
  return {
    ...fleet,
    input: { ...fleet.input, facts: { ...fleet.input.facts, aggregates: { ...aggregates, value } } },
  }
}
