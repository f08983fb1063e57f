import type { Fleet, GpuProvider, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Allocation, Server } from '@/lib/domain/cloud/types'

/** What a consumer holds of a host's GPU providers. */
export type Holding = { consumerUuid: string; providers: GpuProvider[]; amount: number }

const amountOf = ({ resources }: Allocation): number =>
  Object.values(resources).reduce((sum, amount) => sum + amount, 0)

/** Consumers of a host's GPU providers, strays included, in the order of the providers. */
export const holdingsOf = (fleet: Fleet, joined: JoinedHost): Holding[] => {
  const holdings = new Map<string, Holding>()
  for (const entry of [...joined.pgpus.flatMap(({ providers }) => providers), ...joined.strays])
    for (const allocation of fleet.allocationsByProvider.get(entry.provider.uuid) ?? []) {
      const held = holdings.get(allocation.consumerUuid)
      if (held === undefined)
        holdings.set(allocation.consumerUuid, {
          consumerUuid: allocation.consumerUuid,
          providers: [entry],
          amount: amountOf(allocation),
        })
      else {
        held.providers.push(entry)
        held.amount += amountOf(allocation)
      }
    }
  return [...holdings.values()]
}

const MOVING = new Set([
  'BUILD',
  'REBUILD',
  'MIGRATING',
  'RESIZE',
  'VERIFY_RESIZE',
  'REVERT_RESIZE',
  'DELETED',
  'SOFT_DELETED',
])

/** Whether a server is on its way: what its sources say may differ for a while without anything being wrong. */
export const isMoving = (fleet: Fleet, server: Server): boolean =>
  server.taskState !== null || MOVING.has(server.status) || fleet.movingServers.has(server.uuid)
