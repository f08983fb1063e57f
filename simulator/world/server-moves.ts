import { removeGuest, setGuestState } from '@/simulator/host/change-guests'
import type { DeviceChoice } from '@/simulator/host/choose-device'
import type { HostOutcome } from '@/simulator/host/host-outcome'
import { spawnGuest } from '@/simulator/host/spawn-guest'
import type { GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { isUp, specOf, type WorldHost, type WorldView } from './world-host'

export type ServerMigration = { source: WorldHost; target: WorldHost; uuid: string }

/** Notified of everything that happens to servers, so that Nova and Placement move along with the hosts. */
export type ServerWatcher = {
  /** Whether the scheduler would send a server to this place now. */
  offers: (host: WorldHost, choice: DeviceChoice) => boolean
  /** Whether the host takes part in everyday life: its service is enabled and runs. */
  isOpen: (host: WorldHost) => boolean
  /** Whether a server belongs to the simulated life: it is not being moved, and no person created it. */
  isIdle: (uuid: string) => boolean
  /** nova-compute was started, or tried to. */
  novaStarted: (host: WorldHost) => void
  created: (host: WorldHost, guest: GuestSpec) => void
  deleted: (host: WorldHost, uuid: string) => void
  stateChanged: (host: WorldHost, guest: GuestSpec) => void
  migrationStarted: (migration: ServerMigration) => void
  /** `isMoved` false: the server stayed where it was, or is gone. */
  migrationEnded: (migration: ServerMigration & { isMoved: boolean }) => void
}

/** Hosts without a cloud above them. */
export const NO_WATCHER: ServerWatcher = {
  offers: () => true,
  isOpen: () => true,
  isIdle: () => true,
  novaStarted: () => undefined,
  created: () => undefined,
  deleted: () => undefined,
  stateChanged: () => undefined,
  migrationStarted: () => undefined,
  migrationEnded: () => undefined,
}

const guestOn = (host: WorldHost, uuid: string): GuestSpec | undefined =>
  specOf(host).guests.find((guest) => guest.uuid === uuid)

/** Spawns a server's guest on the chosen device. True when it is there. */
export const spawnServer = (
  world: WorldView,
  host: WorldHost,
  { guest, choice }: { guest: GuestSpec; choice: DeviceChoice },
): boolean => {
  const isDone = host.living.attempt(spawnGuest(specOf(host), guest, choice, world.random.uuid()))
  const spawned = isDone ? guestOn(host, guest.uuid) : undefined
  if (spawned !== undefined) world.watcher().created(host, spawned)
  return isDone
}

/** Deletes a server; its mdev stays. */
export const deleteServer = (world: WorldView, host: WorldHost, uuid: string): boolean => {
  const isDone = host.living.attempt(removeGuest(specOf(host), uuid))
  if (isDone) world.watcher().deleted(host, uuid)
  return isDone
}

/** Starts a server or shuts it off. */
export const setServerState = (
  world: WorldView,
  host: WorldHost,
  { uuid, state }: { uuid: string; state: GuestSpec['state'] },
): boolean => {
  const isDone = host.living.attempt(setGuestState(specOf(host), uuid, state))
  const guest = isDone ? guestOn(host, uuid) : undefined
  if (guest !== undefined) world.watcher().stateChanged(host, guest)
  return isDone
}

/** Puts the arriving copy of a migrating server on the target, paused. */
export const startMigration = (
  world: WorldView,
  {
    source,
    target,
    guest,
    spawn,
  }: {
    source: WorldHost
    target: WorldHost
    guest: GuestSpec
    spawn: (spec: HostSpec, arriving: GuestSpec) => HostOutcome
  },
): boolean => {
  const arriving: GuestSpec = { ...guest, state: 'paused', mdevs: [], pciDevices: [] }
  const isDone = target.living.attempt(spawn(specOf(target), arriving))
  if (isDone) world.watcher().migrationStarted({ source, target, uuid: guest.uuid })
  return isDone
}

/** Deleted or powered off in the meantime: then the copy goes, as after a failed migration. */
export const finishMigration = (world: WorldView, migration: ServerMigration): void => {
  const { source, target, uuid } = migration
  if (guestOn(target, uuid) === undefined) return
  const isMoved =
    guestOn(source, uuid)?.state === 'running' && isUp(source) && isUp(target) && world.hosts.includes(target)
  if (isMoved) {
    source.living.attempt(removeGuest(specOf(source), uuid))
    target.living.attempt(setGuestState(specOf(target), uuid, 'running'))
  } else target.living.attempt(removeGuest(specOf(target), uuid))
  world.watcher().migrationEnded({ ...migration, isMoved })
}
