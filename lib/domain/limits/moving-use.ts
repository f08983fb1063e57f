import type { Fleet } from '@/lib/domain/cloud/fleet-types'

/**
 * What migrations of a project use of a class in addition to its servers: Placement counts source and destination until
 * the move is confirmed.
 */
export type MovingUse = { amount: number; servers: string[] }

/** By project, then by class name. Live migrations, resizes and cold migrations all hold the source under their own uuid. */
export const movingUse = (fleet: Fleet): Map<string, Map<string, MovingUse>> => {
  const found = new Map<string, Map<string, MovingUse>>()
  for (const [uuid, migration] of fleet.migrations) {
    const server = fleet.servers.get(migration.serverUuid)
    if (server === undefined) continue
    const ofProject = found.get(server.projectId) ?? new Map<string, MovingUse>()
    for (const { resources } of fleet.allocationsByConsumer.get(uuid) ?? [])
      for (const [name, amount] of Object.entries(resources)) {
        const held = ofProject.get(name) ?? { amount: 0, servers: [] }
        const servers = held.servers.includes(server.name) ? held.servers : [...held.servers, server.name]
        ofProject.set(name, { amount: held.amount + amount, servers })
      }
    if (ofProject.size > 0) found.set(server.projectId, ofProject)
  }
  return found
}
