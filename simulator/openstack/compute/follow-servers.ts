import type { DeviceChoice } from '@/simulator/host/choose-device'
import type { GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { flavorOfDevice } from '@/simulator/world/new-guest'
import type { ServerMigration, ServerWatcher } from '@/simulator/world/server-moves'
import type { WorldHost } from '@/simulator/world/world-host'
import type { Cloud } from '../cloud'
import { deleteServerRow } from '../nova/delete-server'
import { type ComputeNode, isServiceUp, type Server } from '../nova/nova-state'
import { dropConsumer, putConsumer } from '../placement/change-allocations'
import { capacityOf, providerNamed, usedOf } from '../placement/placement-state'
import { mdevProviderName, pciProviderName } from './compute-host'
import { pciPools } from './device-specs'
import { cpuClass } from './flavor-request'
import { allocationsOf, SERVER_DISK_GIB } from './server-allocation'
import { serverOfGuest } from './server-of-guest'

const computeOf = ({ nova }: Cloud, host: WorldHost): ComputeNode | undefined =>
  nova.computes.find((compute) => compute.host === host.living.name)

/** Null: a whole card that Placement does not know about. */
const providerNameOf = (spec: HostSpec, choice: DeviceChoice): string | null => {
  if (choice.kind !== 'whole' && choice.gpu.slicing.interface === 'mdev')
    return mdevProviderName(spec, choice.slot)
  const device = choice.kind === 'whole' ? choice.gpu.address : choice.slot
  const pool = pciPools(spec).find(({ devices }) => devices.includes(device))
  return pool === undefined ? null : pciProviderName(spec, pool.address)
}

const hasFreeCapacity = ({ placement }: Cloud, name: string): boolean => {
  const provider = providerNamed(placement, name)
  const [first] = provider?.inventories ?? []
  if (provider === undefined || first === undefined) return false
  const [resourceClass, inventory] = first
  return (usedOf(placement, provider.uuid).get(resourceClass) ?? 0) < capacityOf(inventory)
}

const hasFreeCapacityOnRoot = (
  { placement }: Cloud,
  { uuid }: ComputeNode,
  size: Record<string, number>,
): boolean => {
  const used = usedOf(placement, uuid)
  const inventories = placement.providers.get(uuid)?.inventories
  return Object.entries(size).every(([name, amount]) => {
    const inventory = inventories?.get(name)
    return inventory !== undefined && (used.get(name) ?? 0) + amount <= capacityOf(inventory)
  })
}

const isOpen = (cloud: Cloud, host: WorldHost): boolean => {
  const compute = computeOf(cloud, host)
  return compute !== undefined && !compute.isDisabled && isServiceUp(compute, cloud.now().getTime())
}

/** Whether Nova's scheduler would pick this device: service enabled and up, and free capacity in Placement. */
const isOffered = (cloud: Cloud, host: WorldHost, choice: DeviceChoice): boolean => {
  const compute = computeOf(cloud, host)
  if (compute === undefined || !isOpen(cloud, host)) return false
  const { vcpus, memoryMib } = flavorOfDevice(choice)
  const size = { VCPU: vcpus, MEMORY_MB: memoryMib, DISK_GB: SERVER_DISK_GIB }
  if (!hasFreeCapacityOnRoot(cloud, compute, size)) return false
  const name = providerNameOf(host.living.spec(), choice)
  // Without PCI in Placement the scheduler's PCI filter decides, which knows the host's own tables.
  return name === null || hasFreeCapacity(cloud, name)
}

/** A server with its allocation, as Nova has both once a guest runs. */
export const registerServer = (
  cloud: Cloud,
  compute: ComputeNode,
  spec: HostSpec,
  guest: GuestSpec,
): void => {
  const server = serverOfGuest(cloud, compute, guest)
  if (server === null) return
  cloud.nova.servers.set(server.uuid, server)
  allocate(cloud, spec, guest, server)
}

export const allocate = (cloud: Cloud, spec: HostSpec, guest: GuestSpec, server: Server): void =>
  putConsumer(cloud.placement, {
    uuid: server.uuid,
    generation: (cloud.placement.consumers.get(server.uuid)?.generation ?? 0) + 1,
    projectId: server.projectId,
    userId: server.userId,
    type: 'INSTANCE',
    allocations: allocationsOf(cloud, spec, guest, cpuClass(server.flavor)),
  })

export const touch = (cloud: Cloud, server: Server, changes: Partial<Server>): void => {
  Object.assign(server, changes, { updatedMs: cloud.now().getTime() })
}

const remove = (cloud: Cloud, host: WorldHost, uuid: string): void => {
  const server = cloud.nova.servers.get(uuid)
  const isArriving = server !== undefined && server.host !== host.living.name
  if (server === undefined) return
  if (isArriving) {
    abandonMigration(cloud, uuid)
    return
  }
  abandonMigration(cloud, uuid)
  dropConsumer(cloud.placement, uuid)
  deleteServerRow(cloud, uuid)
}

const setState = (cloud: Cloud, guest: GuestSpec): void => {
  const server = cloud.nova.servers.get(guest.uuid)
  if (server === undefined) return
  touch(cloud, server, { status: guest.state === 'shutoff' ? 'SHUTOFF' : 'ACTIVE' })
}

export const nextMigrationId = ({ nova }: Cloud): number =>
  nova.migrations.reduce((max, { id }) => Math.max(max, id), 0) + 1

/** The migration holds the source's resources under its own uuid while the server holds the target's. */
const startMigration = (cloud: Cloud, { source, target, uuid }: ServerMigration): void => {
  const server = cloud.nova.servers.get(uuid)
  const arriving = target.living.spec().guests.find((guest) => guest.uuid === uuid)
  const held = cloud.placement.consumers.get(uuid)
  if (server === undefined || arriving === undefined) return
  const nowMs = cloud.now().getTime()
  const migrationUuid = cloud.newUuid()
  cloud.nova.migrations.push({
    id: nextMigrationId(cloud),
    uuid: migrationUuid,
    serverUuid: uuid,
    type: 'live-migration',
    status: 'running',
    sourceHost: source.living.name,
    destinationHost: target.living.name,
    createdMs: nowMs,
    updatedMs: nowMs,
  })
  touch(cloud, server, { status: 'MIGRATING', taskState: 'migrating' })
  if (held === undefined) return
  dropConsumer(cloud.placement, uuid)
  putConsumer(cloud.placement, { ...held, uuid: migrationUuid, generation: 1, type: 'MIGRATION' })
  allocate(cloud, target.living.spec(), arriving, server)
}

const runningMigration = ({ nova }: Cloud, uuid: string) =>
  nova.migrations.find((migration) => migration.serverUuid === uuid && migration.status === 'running')

/** The server gets back what the migration held. */
const abandonMigration = (cloud: Cloud, uuid: string): void => {
  const migration = runningMigration(cloud, uuid)
  if (migration === undefined) return
  migration.status = 'error'
  migration.updatedMs = cloud.now().getTime()
  const held = cloud.placement.consumers.get(migration.uuid)
  dropConsumer(cloud.placement, migration.uuid)
  const server = cloud.nova.servers.get(uuid)
  // Shut off in the meantime: then it stays so.
  const status = server?.status === 'MIGRATING' ? 'ACTIVE' : server?.status
  if (server !== undefined && status !== undefined) touch(cloud, server, { status, taskState: null })
  if (held !== undefined) putConsumer(cloud.placement, { ...held, uuid, generation: 1, type: 'INSTANCE' })
}

const endMigration = (
  cloud: Cloud,
  { target, uuid, isMoved }: ServerMigration & { isMoved: boolean },
): void => {
  const migration = runningMigration(cloud, uuid)
  const compute = computeOf(cloud, target)
  const server = cloud.nova.servers.get(uuid)
  const arrived = target.living.spec().guests.find((guest) => guest.uuid === uuid)
  if (migration === undefined) {
    // Nova was recreated in the meantime and does not know it.
    if (isMoved && compute !== undefined && arrived !== undefined)
      registerServer(cloud, compute, target.living.spec(), arrived)
    return
  }
  if (!isMoved || compute === undefined || server === undefined) {
    abandonMigration(cloud, uuid)
    return
  }
  migration.status = 'completed'
  migration.updatedMs = cloud.now().getTime()
  dropConsumer(cloud.placement, migration.uuid)
  const { host, hypervisorHostname } = compute
  touch(cloud, server, { status: 'ACTIVE', taskState: null, host, hypervisorHostname })
}

const IDLE = new Set<Server['status']>(['ACTIVE', 'SHUTOFF', 'PAUSED', 'ERROR'])

/** Moves servers in Nova and allocations in Placement along with the guests of the world's hosts. */
export const followServers = (cloud: Cloud): Omit<ServerWatcher, 'novaStarted'> => ({
  isOpen: (host) => isOpen(cloud, host),
  isIdle: (uuid) => {
    const server = cloud.nova.servers.get(uuid)
    return server === undefined || (IDLE.has(server.status) && server.taskState === null && !server.isByApi)
  },
  offers: (host, choice) => isOffered(cloud, host, choice),
  created: (host, guest) => {
    const compute = computeOf(cloud, host)
    if (compute !== undefined) registerServer(cloud, compute, host.living.spec(), guest)
  },
  deleted: (host, uuid) => remove(cloud, host, uuid),
  stateChanged: (_, guest) => setState(cloud, guest),
  migrationStarted: (migration) => startMigration(cloud, migration),
  migrationEnded: (migration) => endMigration(cloud, migration),
})
