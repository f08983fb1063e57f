import type { Fleet, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { noTypeLabel } from '@/lib/domain/fleet/no-type-label'
import { aggregateNames } from './aggregate-names'
import { usedOf } from './empty-card'

/** vGPUs of a group, as far as they are known; `cards`: pGPUs. */
export type GroupSum = { key: string; label: string; cards: number; capacity: number; used: number }

type Amounts = Pick<GroupSum, 'cards' | 'capacity' | 'used'>

const amountsOf = (pgpus: readonly JoinedPgpu[]): Amounts => ({
  cards: pgpus.length,
  capacity: pgpus.reduce((sum, { pgpu }) => sum + (pgpu.numbers.capacity.value ?? 0), 0),
  used: usedOf(pgpus),
})

const addTo = (
  sums: Map<string, GroupSum>,
  { key, label }: { key: string; label: string },
  { cards, capacity, used }: Amounts,
): void => {
  const held = sums.get(key)
  if (held === undefined) {
    sums.set(key, { key, label, cards, capacity, used })
    return
  }
  held.cards += cards
  held.capacity += capacity
  held.used += used
}

/** By vGPU type, under the keys of the history. A step per host. */
export function* sumTypes({ hosts }: Fleet): Generator<void, Map<string, GroupSum>> {
  const sums = new Map<string, GroupSum>()
  for (const { pgpus } of hosts) {
    for (const entry of pgpus) {
      const { currentType, framework } = entry.pgpu
      const key = currentType?.typeId ?? noTypeLabel(framework)
      addTo(sums, { key, label: currentType?.shortName ?? key }, amountsOf([entry]))
    }
    yield
  }
  return sums
}

/** By Nova's aggregates; a pGPU counts in each of its host's. A step per host. */
export function* sumAggregates(fleet: Fleet): Generator<void, Map<string, GroupSum>> {
  const sums = new Map<string, GroupSum>()
  for (const joined of fleet.hosts) {
    if (joined.pgpus.length > 0) {
      const ofHost = amountsOf(joined.pgpus)
      for (const name of aggregateNames(fleet, joined)) addTo(sums, { key: name, label: name }, ofHost)
    }
    yield
  }
  return sums
}

/**
 * vGPUs in use by aggregate after steps, if the demand stays: it goes with a host that changes its aggregates, and stays in those
 * of a host that is taken away. A step per host.
 */
export function* demandByAggregate(before: Fleet, after: Fleet): Generator<void, Map<string, number>> {
  const hostsAfter = new Map(after.hosts.map((joined) => [joined.host.name, joined]))
  const sums = new Map<string, number>()
  for (const joined of before.hosts) {
    const later = hostsAfter.get(joined.host.name)
    const names = later === undefined ? aggregateNames(before, joined) : aggregateNames(after, later)
    const used = usedOf(joined.pgpus)
    for (const name of names) sums.set(name, (sums.get(name) ?? 0) + used)
    yield
  }
  return sums
}
