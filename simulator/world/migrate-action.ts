import { type DeviceChoice, deviceChoices } from '@/simulator/host/choose-device'
import { gpuOfVgpu } from '@/simulator/host/host-lookup'
import { spawnGuest } from '@/simulator/host/spawn-guest'
import type { GuestSpec } from '@/simulator/host-tree/host-spec'
import { finishMigration, startMigration } from './server-moves'
import { livelyHosts, specOf, type WorldAction, type WorldHost, type WorldView } from './world-host'

const COPY_MS = 4000

/** Live migration of mdevs since 29.0.0, between hosts of the same type (Nova admin/virtual-gpu). */
const canMigrate = (host: WorldHost): boolean => Number.parseInt(specOf(host).nova.version, 10) >= 29

const typeOfGuest = (host: WorldHost, guest: GuestSpec): string | null =>
  gpuOfVgpu(specOf(host), guest.mdevs[0] ?? '')?.vgpu.typeId ?? null

const targetFor = (
  world: WorldView,
  source: WorldHost,
  typeId: string,
): { host: WorldHost; choice: DeviceChoice } | null => {
  for (const host of livelyHosts(world)) {
    if (host === source || !canMigrate(host)) continue
    const choice = deviceChoices(specOf(host), host.fleet.plan).find(
      (candidate) =>
        candidate.kind !== 'whole' &&
        candidate.typeId === typeId &&
        candidate.gpu.slicing.interface === 'mdev' &&
        world.watcher().offers(host, candidate),
    )
    if (choice !== undefined) return { host, choice }
  }
  return null
}

/** For a moment the server is on both hosts: running on the source, paused on the target. */
export const migrate: WorldAction = (world) => {
  const source = world.random.pick(livelyHosts(world).filter(canMigrate))
  if (source === undefined) return null
  const movable = specOf(source).guests.filter(
    ({ uuid, state, mdevs }) => state === 'running' && mdevs.length === 1 && world.watcher().isIdle(uuid),
  )
  const guest = world.random.pick(movable)
  const typeId = guest === undefined ? null : typeOfGuest(source, guest)
  const target = typeId === null ? null : targetFor(world, source, typeId)
  if (guest === undefined || target === null) return null
  const isStarted = startMigration(world, {
    source,
    target: target.host,
    guest,
    spawn: (spec, arriving) => spawnGuest(spec, arriving, target.choice, world.random.uuid()),
  })
  if (!isStarted) return null
  world.later(COPY_MS, () => finishMigration(world, { source, target: target.host, uuid: guest.uuid }))
  return `${guest.nova?.serverName ?? guest.name} migrates from ${source.living.name} to ${target.host.living.name}`
}
