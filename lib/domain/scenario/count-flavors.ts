import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { countHost, flavorQuestion } from '@/lib/domain/fit/explain-fit'
import { hostBlockers } from '@/lib/domain/fit/host-blockers'
import { aggregateNames } from './aggregate-names'

/** Hosts of one fleet that are not the same in another one: changed, gone, or in other aggregates. */
export const changedHosts = (fleet: Fleet, other: Fleet): JoinedHost[] => {
  const others = new Map(other.hosts.map((joined) => [joined.host.name, joined]))
  const namesIn = (of: Fleet, joined: JoinedHost): string => aggregateNames(of, joined).join('\n')
  return fleet.hosts.filter((joined) => {
    const same = others.get(joined.host.name)
    return same !== joined || namesIn(fleet, joined) !== namesIn(other, same)
  })
}

/** Servers of a flavor that fit more, or fewer; by the names of the aggregates where that differs: a host counts in each of its. */
type FitDifference = { more: number; byAggregate: ReadonlyMap<string, number> }

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
): FitDifference => {
  const question = flavorQuestion(flavor)
  let more = 0
  const sums = new Map<string, number>()
  const add = (fleet: Fleet, hosts: readonly JoinedHost[], sign: 1 | -1): void => {
    for (const joined of hosts) {
      const isOpen = () => hostBlockers(fleet, joined, question).length === 0
      const fits = sign * countHost(fleet, joined, question, isOpen).surely.fits
      more += fits
      for (const name of aggregateNames(fleet, joined)) sums.set(name, (sums.get(name) ?? 0) + fits)
    }
  }
  add(before, gone, -1)
  add(after, come, 1)
  return { more, byAggregate: new Map([...sums].filter(([, fits]) => fits !== 0)) }
}
