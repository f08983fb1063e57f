import { deviceChoices } from '@/simulator/host/choose-device'
import type { GuestSpec } from '@/simulator/host-tree/host-spec'
import { gpuGuests, hostCapacity } from './host-use'
import { newGuest } from './new-guest'
import { PROJECTS } from './projects'
import { deleteServer, setServerState, spawnServer } from './server-moves'
import {
  livelyHosts,
  specOf,
  takenServerNames,
  type WorldAction,
  type WorldHost,
  type WorldView,
} from './world-host'

const label = (guest: GuestSpec): string => guest.nova?.serverName ?? guest.name

/** Spawns a server on one of the host's pGPUs that have room; fuller ones are taken a little more often. */
const createServer = (world: WorldView, host: WorldHost): string | null => {
  const spec = specOf(host)
  const choices = deviceChoices(spec, host.fleet.plan).filter((each) => world.watcher().offers(host, each))
  const choice = world.random.chance(0.3) ? choices[0] : world.random.pick(choices)
  const projectName = world.random.pick(host.fleet.projects)
  if (choice === undefined || projectName === undefined) return null
  const guest = newGuest({
    choice,
    project: PROJECTS[projectName],
    takenNames: takenServerNames(world.hosts),
    instanceNumber: world.nextInstanceNumber(),
    createdAt: new Date(world.nowMs()),
    random: world.random,
  })
  return spawnServer(world, host, { guest, choice })
    ? `${label(guest)} was created on ${host.living.name}`
    : null
}

const deleteSome = (world: WorldView, host: WorldHost): string | null => {
  const guest = world.random.pick(gpuGuests(specOf(host)).filter(({ uuid }) => world.watcher().isIdle(uuid)))
  if (guest === undefined) return null
  deleteServer(world, host, guest.uuid)
  return `${label(guest)} on ${host.living.name} was deleted`
}

/** Creates below the host's share of use, deletes above it, so that the fleet stays where it is. */
export const comeOrGo: WorldAction = (world) => {
  const host = world.random.pick(livelyHosts(world))
  if (host === undefined || host.fleet.story.kind === 'still') return null
  const capacity = hostCapacity(specOf(host), host.fleet.plan)
  if (capacity === 0) return null
  const lack = host.fleet.story.targetUse - gpuGuests(specOf(host)).length / capacity
  const isBirth = world.random.chance(Math.min(0.95, Math.max(0.05, 0.5 + lack * 3)))
  return isBirth ? createServer(world, host) : deleteSome(world, host)
}

/** A shut-off server keeps its vGPU; about one in twelve is off. */
export const stopOrStart: WorldAction = (world) => {
  const host = world.random.pick(livelyHosts(world))
  if (host === undefined) return null
  const guests = gpuGuests(specOf(host)).filter(({ uuid }) => world.watcher().isIdle(uuid))
  const stopped = guests.filter((guest) => guest.state === 'shutoff')
  const running = guests.filter((guest) => guest.state === 'running')
  const isStart = world.random.chance(stopped.length / Math.max(1, guests.length) > 1 / 12 ? 0.8 : 0.25)
  const guest = world.random.pick(isStart ? stopped : running)
  if (guest === undefined) return null
  const state = isStart ? 'running' : 'shutoff'
  const isDone = setServerState(world, host, { uuid: guest.uuid, state })
  return isDone ? `${label(guest)} on ${host.living.name} is ${isStart ? 'running' : 'shut off'}` : null
}
