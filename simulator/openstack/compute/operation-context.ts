import type { GuestSpec } from '@/simulator/host-tree/host-spec'
import type { WorldHost, WorldView } from '@/simulator/world/world-host'
import type { Cloud } from '../cloud'
import type { Migration, Server } from '../nova/nova-state'
import { nextMigrationId } from './follow-servers'

/** A cloud and the hosts below it, for what its API sets going. */
export type OperationContext = { cloud: Cloud; view: WorldView }

export const hostNamed = ({ view }: OperationContext, name: string | null): WorldHost | undefined =>
  view.hosts.find(({ living }) => living.name === name)

export const guestOf = (host: WorldHost | undefined, { uuid }: Server): GuestSpec | undefined =>
  host?.living.spec().guests.find((guest) => guest.uuid === uuid)

/** Whether a server was deleted in the meantime; healing puts another of the same uuid in its place. */
export const isGone = ({ cloud }: OperationContext, server: Server): boolean =>
  cloud.nova.servers.get(server.uuid) !== server

/** A migration as Nova keeps it. */
export const addMigration = (
  { cloud }: OperationContext,
  server: Server,
  options: Pick<Migration, 'type' | 'status'> & { target: string | null },
): Migration => {
  const nowMs = cloud.now().getTime()
  const migration: Migration = {
    id: nextMigrationId(cloud),
    uuid: cloud.newUuid(),
    serverUuid: server.uuid,
    type: options.type,
    status: options.status,
    sourceHost: server.host ?? '',
    destinationHost: options.target,
    createdMs: nowMs,
    updatedMs: nowMs,
  }
  cloud.nova.migrations.push(migration)
  return migration
}
