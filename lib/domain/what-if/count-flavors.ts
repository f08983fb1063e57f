import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { countHost, flavorQuestion } from '@/lib/domain/fit/explain-fit'
import { hostBlockers } from '@/lib/domain/fit/host-blockers'
import { aggregatesByHost } from './aggregates-by-host'

/** Hosts of one fleet that are not the same in another one: changed, gone, or in other aggregates. */
export const changedHosts = (fleet: Fleet, other: Fleet): JoinedHost[] => {
  const others = new Map(other.hosts.map((joined) => [joined.host.name, joined]))
  const [names, otherNames] = [aggregatesByHost(fleet), aggregatesByHost(other)]
  return fleet.hosts.filter((joined) => {
    const same = others.get(joined.host.name)
    return same !== joined || names(joined).join('\n') !== otherNames(same).join('\n')
  })
}

/**
 * How many servers of a flavor more (or fewer) fit in `after` than in `before`, of those that surely do. Only hosts that differ are counted.
 */
export const fitDifference = (
  {
    before,
    after,
    gone,
    come,
  }: {
    before: Fleet
    after: Fleet
    /** What differs (`changedHosts`), of the one and of the other. */
    gone: readonly JoinedHost[]
    come: readonly JoinedHost[]
  },
  flavor: Flavor,
): number => {
  const question = flavorQuestion(flavor)
  const count = (fleet: Fleet, hosts: readonly JoinedHost[]): number =>
    hosts.reduce((sum, joined) => {
      const isOpen = hostBlockers(fleet, joined, question).length === 0
      return sum + countHost(fleet, joined, question, isOpen).surely.fits
    }, 0)
  return count(after, come) - count(before, gone)
}
