import type { Fleet, JoinedHost } from './fleet-types'
import type { HostAggregate } from './types'

/** Nova's aggregates of a host, in Nova's order; null: Nova has not told them. Names are compared in any case. */
export const hostAggregates = ({ input }: Fleet, { service, host }: JoinedHost): HostAggregate[] | null => {
  const name = (service.value?.host ?? host.name).toLowerCase()
  const { value } = input.facts.aggregates
  return value?.filter(({ hosts }) => hosts.some((other) => other.toLowerCase() === name)) ?? null
}
