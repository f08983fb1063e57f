import type { HostAggregate, ResourceProvider } from '@/lib/domain/cloud/types'
import type { PlacementClient } from '../placement/types'
import { providerOf } from './merge-provider'
import type { Round } from './round'

type Members = { mark: string; requestedInRound: number; providerUuids: ReadonlySet<string> }

/** Which providers Placement has in each of Nova's aggregates, by the aggregate's uuid. */
export type MembershipMemory = { byAggregate: Map<string, Members>; rounds: number }

export const createMembershipMemory = (): MembershipMemory => ({ byAggregate: new Map(), rounds: 0 })

type ReadMembershipInput = {
  placement: PlacementClient
  aggregates: readonly HostAggregate[]
  memory: MembershipMemory
  round: Round
  /** Requests that an otherwise unchanged round may still cost. */
  budget: number
}

const markOf = ({ hosts }: HostAggregate): string => hosts.toSorted().join(' ')

/** New aggregates and those whose hosts changed immediately; the others in turn, as many as the round allows. */
export const readMembership = async (input: ReadMembershipInput): Promise<void> => {
  const { placement, memory, round, budget } = input
  memory.rounds += 1
  const wanted = input.aggregates.filter(({ hosts }) => hosts.length > 0)
  const uuids = new Set(wanted.map(({ uuid }) => uuid))
  for (const uuid of memory.byAggregate.keys()) if (!uuids.has(uuid)) memory.byAggregate.delete(uuid)
  const changed = wanted.filter(
    (aggregate) => memory.byAggregate.get(aggregate.uuid)?.mark !== markOf(aggregate),
  )
  const requestedAt = ({ uuid }: HostAggregate): number => memory.byAggregate.get(uuid)?.requestedInRound ?? 0
  const turn = wanted.toSorted((a, b) => requestedAt(a) - requestedAt(b)).slice(0, Math.max(0, budget))
  await round.each({
    items: changed.length > 0 ? changed : turn,
    requestsPerItem: 1,
    share: 0.3,
    work: async (aggregate) => {
      const members = await placement.listProviders({ memberOf: aggregate.uuid })
      memory.byAggregate.set(aggregate.uuid, {
        mark: markOf(aggregate),
        requestedInRound: memory.rounds,
        providerUuids: new Set(members.map(({ uuid }) => uuid)),
      })
    },
  })
}

/** Root providers with their aggregates in Placement; null until every aggregate was read. */
export const withMembership = (
  providers: readonly ResourceProvider[],
  { aggregates, memory }: Pick<ReadMembershipInput, 'aggregates' | 'memory'>,
): ResourceProvider[] => {
  const wanted = aggregates.filter(({ hosts }) => hosts.length > 0)
  const isKnown = wanted.every(({ uuid }) => memory.byAggregate.has(uuid))
  const byProvider = new Map<string, string[]>()
  for (const { uuid } of wanted)
    for (const providerUuid of memory.byAggregate.get(uuid)?.providerUuids ?? []) {
      const own = byProvider.get(providerUuid)
      if (own === undefined) byProvider.set(providerUuid, [uuid])
      else own.push(uuid)
    }
  return providers.map((provider) => {
    if (provider.parentUuid !== null) return provider
    const { inventories, traits } = provider
    const aggregateUuids = isKnown ? (byProvider.get(provider.uuid) ?? []) : null
    if (String(aggregateUuids) === String(provider.aggregateUuids)) return provider
    return providerOf(provider, { inventories, traits, aggregateUuids })
  })
}
