import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { noTypeLabel } from '@/lib/domain/fleet/no-type-label'
import { aggregatesByHost } from './aggregates-by-host'
import { usedOf } from './empty-card'

/** vGPUs of a group, as far as they are known; `cards`: pGPUs. */
export type GroupSum = { key: string; label: string; cards: number; capacity: number; used: number }

type Group = { key: string; label: string }

const sum = (
  hosts: readonly JoinedHost[],
  groupsOf: (joined: JoinedHost, pgpu: JoinedHost['pgpus'][number]['pgpu']) => readonly Group[],
): Map<string, GroupSum> => {
  const sums = new Map<string, GroupSum>()
  for (const joined of hosts)
    for (const { pgpu } of joined.pgpus)
      for (const { key, label } of groupsOf(joined, pgpu)) {
        const held = sums.get(key) ?? { key, label, cards: 0, capacity: 0, used: 0 }
        sums.set(key, {
          ...held,
          cards: held.cards + 1,
          capacity: held.capacity + (pgpu.numbers.capacity.value ?? 0),
          used: held.used + (pgpu.numbers.used.value ?? 0),
        })
      }
  return sums
}

/** By vGPU type, under the keys of the history. */
export const sumTypes = ({ hosts }: Fleet): Map<string, GroupSum> =>
  sum(hosts, (_, { currentType, framework }) => {
    const key = currentType?.typeId ?? noTypeLabel(framework)
    return [{ key, label: currentType?.shortName ?? key }]
  })

/** By Nova's aggregates; a pGPU counts in each of its host's. */
export const sumAggregates = (fleet: Fleet): Map<string, GroupSum> => {
  const namesOf = aggregatesByHost(fleet)
  return sum(fleet.hosts, (joined) => namesOf(joined).map((name) => ({ key: name, label: name })))
}

/**
 * vGPUs in use by aggregate after steps, if the demand stays: it goes with a host that changes its aggregates, and stays in those
 * of a host that is taken away.
 */
export const demandByAggregate = (before: Fleet, after: Fleet): Map<string, number> => {
  const [was, is] = [aggregatesByHost(before), aggregatesByHost(after)]
  const hostsAfter = new Map(after.hosts.map((joined) => [joined.host.name, joined]))
  const sums = new Map<string, number>()
  for (const joined of before.hosts) {
    const later = hostsAfter.get(joined.host.name)
    for (const name of later === undefined ? was(joined) : is(later))
      sums.set(name, (sums.get(name) ?? 0) + usedOf(joined.pgpus))
  }
  return sums
}
