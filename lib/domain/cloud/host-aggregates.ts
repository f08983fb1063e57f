import { oncePer } from '@/lib/util/once-per'
import type { Fleet, JoinedHost } from './fleet-types'
import type { HostAggregate } from './types'

const byHost = oncePer((aggregates: readonly HostAggregate[]): ReadonlyMap<string, HostAggregate[]> => {
  const index = new Map<string, HostAggregate[]>()
  for (const aggregate of aggregates)
    for (const name of new Set(aggregate.hosts.map((host) => host.toLowerCase()))) {
      const held = index.get(name)
      if (held === undefined) index.set(name, [aggregate])
      else held.push(aggregate)
    }
  return index
})

/**
 * Nova's aggregates of a host, in Nova's order; null: Nova has not reported them. The comparison of names ignores case.
 */
export const hostAggregates = (
  { input }: Fleet,
  { service, host }: JoinedHost,
): readonly HostAggregate[] | null => {
  const { value } = input.facts.aggregates
  return value === null ? null : (byHost(value).get((service.value?.host ?? host.name).toLowerCase()) ?? [])
}
