import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'

/** Names of the aggregates of each host: as `hostAggregates` finds them, but for many hosts at once. */
export const aggregatesByHost = ({ input }: Fleet): ((joined: JoinedHost) => readonly string[]) => {
  const names = new Map<string, string[]>()
  for (const { name, hosts } of input.facts.aggregates.value ?? [])
    for (const host of hosts) {
      const key = host.toLowerCase()
      names.set(key, [...(names.get(key) ?? []), name])
    }
  return ({ service, host }) => names.get((service.value?.host ?? host.name).toLowerCase()) ?? []
}
