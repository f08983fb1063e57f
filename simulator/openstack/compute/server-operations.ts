import { removeGuest } from '@/simulator/host/change-guests'
import type { GuestSpec } from '@/simulator/host-tree/host-spec'
import { setServerState } from '@/simulator/world/server-moves'
import type { WorldHost } from '@/simulator/world/world-host'
import { deleteServerRow } from '../nova/delete-server'
import type { Server } from '../nova/nova-state'
import { dropConsumer } from '../placement/change-allocations'
import { apiAliases } from './api-aliases'
import { bootServer } from './boot-server'
import { confirmMigration, moveCold, revertMigration } from './cold-migration'
import { touch } from './follow-servers'
import { moveLive } from './live-migration'
import { hostNamed, type OperationContext } from './operation-context'

/** What Nova's API starts. Each ends on the world's clock and does not report a failure: the server shows it. */
export type ServerOperations = {
  boot: (server: Server, wanted: string | null) => void
  start: (server: Server) => void
  stop: (server: Server) => void
  remove: (server: Server) => void
  moveLive: (server: Server, wanted: string | null) => void
  moveCold: (server: Server, wanted: string | null) => void
  confirm: (server: Server) => void
  revert: (server: Server) => void
  /** Names of the PCI aliases that Nova's API knows. */
  apiAliases: () => ReadonlySet<string>
  /** `instance-0000000c`, counted over the whole cloud. */
  nextInstanceName: () => string
}

const POWER_MS = 1500
const DELETE_MS = 1000

const setState = (context: OperationContext, server: Server, state: GuestSpec['state']): void => {
  const { cloud, view } = context
  touch(cloud, server, { taskState: state === 'shutoff' ? 'powering-off' : 'powering-on' })
  view.later(POWER_MS, () => {
    const host = hostNamed(context, server.host)
    if (host !== undefined) setServerState(view, host, { uuid: server.uuid, state })
    touch(cloud, server, { taskState: null })
  })
}

/** On both hosts, while a migration waits for its confirmation. */
const hostsOf = ({ view }: OperationContext, uuid: string): WorldHost[] =>
  view.hosts.filter(({ living }) => living.spec().guests.some((guest) => guest.uuid === uuid))

const remove = (context: OperationContext, server: Server): void => {
  const { cloud, view } = context
  touch(cloud, server, { taskState: 'deleting' })
  view.later(DELETE_MS, () => {
    for (const { living } of hostsOf(context, server.uuid))
      living.attempt(removeGuest(living.spec(), server.uuid))
    for (const { serverUuid, uuid } of cloud.nova.migrations)
      if (serverUuid === server.uuid) dropConsumer(cloud.placement, uuid)
    dropConsumer(cloud.placement, server.uuid)
    deleteServerRow(cloud, server.uuid)
  })
}

export const serverOperations = (context: OperationContext): ServerOperations => ({
  boot: (server, wanted) => bootServer(context, server, wanted),
  start: (server) => setState(context, server, 'running'),
  stop: (server) => setState(context, server, 'shutoff'),
  remove: (server) => remove(context, server),
  moveLive: (server, wanted) => moveLive(context, server, wanted),
  moveCold: (server, wanted) => moveCold(context, server, wanted),
  confirm: (server) => confirmMigration(context, server),
  revert: (server) => revertMigration(context, server),
  apiAliases: () => apiAliases(context),
  nextInstanceName: () => `instance-${context.view.nextInstanceNumber().toString(16).padStart(8, '0')}`,
})
