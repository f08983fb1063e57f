import type { Allocation, CloudFacts, ResourceProvider } from '@/lib/domain/cloud/types'
import { OpenStackError } from '../openstack-error'
import type { PlacementClient } from '../placement/types'
import { type Round, UnfinishedPart } from './round'
import type { IsGpuProvider } from './types'

type KnownAllocations = { mark: string; allocations: readonly Allocation[] }
/** By provider; `mark` shows whether they may have changed. */
export type AllocationMemory = Map<string, KnownAllocations>

/** From stored facts, where both parts are of one round: only what changed since then is requested again. */
export const createAllocationMemory = ({
  providers,
  allocations,
}: Pick<CloudFacts, 'providers' | 'allocations'>): AllocationMemory => {
  if (providers.at !== allocations.at || providers.error !== null || allocations.error !== null)
    return new Map()
  const byProvider = new Map<string, Allocation[]>()
  for (const allocation of allocations.value ?? []) {
    const known = byProvider.get(allocation.providerUuid) ?? []
    known.push(allocation)
    byProvider.set(allocation.providerUuid, known)
  }
  return new Map(
    (providers.value ?? []).flatMap((provider) => {
      const known = byProvider.get(provider.uuid)
      return known === undefined
        ? []
        : [[provider.uuid, { mark: markOf(provider), allocations: known }] as const]
    }),
  )
}

type ReadAllocationsInput = {
  placement: PlacementClient
  /** Null: Placement has never answered. */
  providers: readonly ResourceProvider[] | null
  memory: AllocationMemory
  isGpuProvider: IsGpuProvider
  round: Round
}

const isUsed = ({ inventories }: ResourceProvider) =>
  inventories === null || Object.values(inventories).some(({ used }) => used > 0)

/** Giving an allocation back changes `used` but no generation; swapping one for another, the generation alone. */
const markOf = ({ generation, inventories }: ResourceProvider): string => {
  const used = Object.entries(inventories ?? {}).map(([name, { used }]) => `${name}=${used}`)
  return `${generation} ${used.sort().join(' ')}`
}

/** Allocations of GPU providers that have something in use; requested only if they can have changed. */
export const readAllocations = async (input: ReadAllocationsInput): Promise<Allocation[]> => {
  const { placement, memory, round, providers } = input
  if (providers === null) throw new UnfinishedPart('The providers are not known yet.')
  const holders = providers.filter((provider) => input.isGpuProvider(provider) && isUsed(provider))
  const uuids = new Set(holders.map((provider) => provider.uuid))
  for (const uuid of memory.keys()) if (!uuids.has(uuid)) memory.delete(uuid)

  const changed = holders.filter((provider) => memory.get(provider.uuid)?.mark !== markOf(provider))
  const unread = changed.filter((provider) => !memory.has(provider.uuid))
  const order = [...unread, ...changed.filter((provider) => memory.has(provider.uuid))]
  const waiting = await round.each({
    items: order,
    requestsPerItem: 1,
    share: 0.7,
    work: async (provider) => {
      try {
        const { allocations } = await placement.getAllocations(provider.uuid)
        memory.set(provider.uuid, { mark: markOf(provider), allocations })
      } catch (error) {
        if (!(error instanceof OpenStackError && error.status === 404)) throw error
      }
    },
  })
  if (waiting > 0) {
    throw new UnfinishedPart(
      `Allocations of ${waiting} of ${holders.length} GPU providers wait for the next round.`,
    )
  }
  return holders.flatMap((provider) => memory.get(provider.uuid)?.allocations ?? [])
}
