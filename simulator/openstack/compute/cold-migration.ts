import { removeGuest, setGuestState } from '@/simulator/host/change-guests'
import { spawnServer } from '@/simulator/host/spawn-server'
import { specOf, type WorldHost } from '@/simulator/world/world-host'
import type { Migration, Server } from '../nova/nova-state'
import { dropConsumer, putConsumer } from '../placement/change-allocations'
import { findDestinations } from './find-destinations'
import { allocate, touch } from './follow-servers'
import { addMigration, guestOf, hostNamed, isGone, type OperationContext } from './operation-context'

const COPY_MS = 3000
const CONFIRM_MS = 1000

/** The migration that waits for confirmResize or revertResize. */
export const finishedMigration = ({ cloud }: Pick<OperationContext, 'cloud'>, server: Server) =>
  cloud.nova.migrations.find(({ serverUuid, status }) => serverUuid === server.uuid && status === 'finished')

const end = ({ cloud }: OperationContext, migration: Migration, status: string): void => {
  Object.assign(migration, { status, updatedMs: cloud.now().getTime() })
}

/** The migration holds the source's resources under its own uuid until it is confirmed. */
const splitAllocation = (context: OperationContext, server: Server, migration: Migration): void => {
  const { placement } = context.cloud
  const held = placement.consumers.get(server.uuid)
  const target = hostNamed(context, migration.destinationHost)
  const arrived = guestOf(target, server)
  if (held === undefined || target === undefined || arrived === undefined) return
  dropConsumer(placement, server.uuid)
  putConsumer(placement, { ...held, uuid: migration.uuid, generation: 1, type: 'MIGRATION' })
  allocate(context.cloud, specOf(target), arrived, server)
}

const moveTo = (context: OperationContext, server: Server, target: WorldHost): void => {
  const compute = context.cloud.nova.computes.find(({ host }) => host === target.living.name)
  touch(context.cloud, server, {
    host: target.living.name,
    hypervisorHostname: compute?.hypervisorHostname ?? target.living.name,
  })
}

/** Off on the source, which keeps the guest's XML until the confirmation; as before on the target. */
const move = (context: OperationContext, server: Server, wanted: string | null): boolean => {
  const { cloud, view } = context
  const source = hostNamed(context, server.host)
  const guest = guestOf(source, server)
  if (source === undefined || guest === undefined) return false
  for (const destination of findDestinations(
    { cloud, view },
    { flavor: server.flavor, wanted, except: source.living.name },
  )) {
    const { living } = destination.host
    const spawned = spawnServer(living.spec(), guest, { ...destination, newUuid: view.random.uuid })
    if (!living.attempt(spawned)) continue
    source.living.attempt(setGuestState(specOf(source), guest.uuid, 'shutoff'))
    const migration = addMigration(context, server, {
      type: 'migration',
      status: 'finished',
      target: living.name,
    })
    splitAllocation(context, server, migration)
    moveTo(context, server, destination.host)
    touch(cloud, server, { status: 'VERIFY_RESIZE', taskState: null })
    return true
  }
  return false
}

/** Cold migration; a server that no host takes stays as it was. */
export const moveCold = (context: OperationContext, server: Server, wanted: string | null): void => {
  const { cloud, view } = context
  const before = server.status
  touch(cloud, server, { status: 'RESIZE', taskState: 'resize_prep' })
  view.later(COPY_MS, () => {
    if (isGone(context, server) || move(context, server, wanted)) return
    addMigration(context, server, { type: 'migration', status: 'error', target: wanted })
    touch(cloud, server, { status: before, taskState: null })
  })
}

const statusOf = (host: WorldHost | undefined, server: Server): Server['status'] =>
  guestOf(host, server)?.state === 'shutoff' ? 'SHUTOFF' : 'ACTIVE'

/** The source forgets the guest; its mdev stays there unattached. */
export const confirmMigration = (context: OperationContext, server: Server): void => {
  const { cloud, view } = context
  const migration = finishedMigration(context, server)
  if (migration === undefined) return
  end(context, migration, 'confirming')
  view.later(CONFIRM_MS, () => {
    if (isGone(context, server)) return
    const source = hostNamed(context, migration.sourceHost)
    if (guestOf(source, server) !== undefined && source !== undefined)
      source.living.attempt(removeGuest(specOf(source), server.uuid))
    dropConsumer(cloud.placement, migration.uuid)
    end(context, migration, 'confirmed')
    touch(cloud, server, { status: statusOf(hostNamed(context, server.host), server), taskState: null })
  })
}

/** Back to the source, with what the migration held there. */
export const revertMigration = (context: OperationContext, server: Server): void => {
  const { cloud, view } = context
  const migration = finishedMigration(context, server)
  if (migration === undefined) return
  end(context, migration, 'reverting')
  touch(cloud, server, { taskState: 'resize_reverting' })
  view.later(CONFIRM_MS, () => {
    const source = hostNamed(context, migration.sourceHost)
    const target = hostNamed(context, migration.destinationHost)
    if (isGone(context, server) || source === undefined || target === undefined) return
    const state = guestOf(target, server)?.state ?? 'shutoff'
    target.living.attempt(removeGuest(specOf(target), server.uuid))
    source.living.attempt(setGuestState(specOf(source), server.uuid, state))
    const held = cloud.placement.consumers.get(migration.uuid)
    dropConsumer(cloud.placement, migration.uuid)
    if (held !== undefined)
      putConsumer(cloud.placement, { ...held, uuid: server.uuid, generation: 1, type: 'INSTANCE' })
    moveTo(context, server, source)
    end(context, migration, 'reverted')
    touch(cloud, server, { status: statusOf(source, server), taskState: null })
  })
}
