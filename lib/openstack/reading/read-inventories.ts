import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ResourceProvider } from '@/lib/domain/cloud/types'
import { OpenStackError } from '../openstack-error'
import type { PlacementClient } from '../placement/types'
import { withRecords } from './merge-provider'
import type { Round } from './round'
import type { IsGpuProvider } from './types'

/** Capacities of the GPU providers in the last round. */
export type InventoryMemory = { capacities: ReadonlyMap<string, string> | null }

type ReadInventoriesInput = {
  placement: PlacementClient
  providers: readonly ResourceProvider[]
  memory: InventoryMemory
  isGpuProvider: IsGpuProvider
  round: Round
  /** Requests that an otherwise unchanged round may still cost. */
  freeRequests: number
}

const SHARE = 0.3

const isUnread = ({ inventories }: ResourceProvider): boolean =>
  Object.values(inventories ?? {}).some(({ total }) => total === null)

const capacitiesOf = ({ inventories }: ResourceProvider): string =>
  Object.entries(inventories ?? {})
    .map(([name, { capacity }]) => `${name}=${capacity}`)
    .toSorted()
    .join(' ')

/**
 * Candidates report the capacity without its parts. This reads total and reserved of GPU providers: within a share of the
 * round in the first round and where the capacity changed, and of the others as many as the round allows. Returns the
 * providers that it read.
 */
export const readInventories = async (input: ReadInventoriesInput): Promise<ResourceProvider[]> => {
  const { placement, memory, round, freeRequests } = input
  const gpus = input.providers.filter(input.isGpuProvider)
  await nextTurn()
  const before = memory.capacities
  memory.capacities = new Map(gpus.map((provider) => [provider.uuid, capacitiesOf(provider)]))
  await nextTurn()
  const unread = gpus.filter(isUnread)
  const isChanged = (provider: ResourceProvider): boolean =>
    before === null || (before.has(provider.uuid) && before.get(provider.uuid) !== capacitiesOf(provider))
  const changed = unread.filter(isChanged)
  const max = changed.length > 0 ? Math.floor(round.left() * SHARE) : Math.max(0, freeRequests)
  const read: ResourceProvider[] = []
  await round.each({
    items: (changed.length > 0 ? changed : unread).slice(0, max),
    requestsPerItem: 1,
    share: 1,
    work: async (provider) => {
      try {
        const { inventories } = await placement.getInventories(provider.uuid)
        read.push(withRecords(provider, inventories))
      } catch (error) {
        // Deleted since it was listed.
        if (!(error instanceof OpenStackError && error.status === 404)) throw error
      }
    },
  })
  return read
}
