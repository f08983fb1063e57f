import path from 'node:path'
import { createLivingHost } from '@/simulator/host/living-host'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { reconcileHostTree } from '@/simulator/host-tree/reconcile-host-tree'
import type { FleetHost } from './fleet-host'
import { createWorld, type SavedWorld, type World, type WorldOptions } from './world'

/** Where a host's tree lies below a world's folder. */
export const hostRoot = (directory: string, name: string): string => path.join(directory, name)

/**
 * A host as it was saved, without what was only for a moment: the extra files of the fixture stand again, and servers
 * that were arriving by a migration have not arrived.
 */
const settled = (spec: HostSpec, fleet: FleetHost): HostSpec => ({
  ...spec,
  extras: fleet.spec.extras,
  guests: spec.guests.filter((guest) => guest.state !== 'paused'),
})

/** A cold migration that was not confirmed has left a copy that is off on its source. */
const withoutCopies = (hosts: HostSpec[]): HostSpec[] => {
  const running = new Set(
    hosts.flatMap(({ guests }) => guests.filter(({ state }) => state === 'running').map(({ uuid }) => uuid)),
  )
  return hosts.map((spec) => ({
    ...spec,
    guests: spec.guests.filter(({ state, uuid }) => state === 'running' || !running.has(uuid)),
  }))
}

/** What was saved, where it still is about this fleet; null otherwise. */
export const settledWorld = (saved: SavedWorld | null, fleet: FleetHost[]): SavedWorld | null => {
  if (saved === null || saved.hosts.length !== fleet.length) return null
  const known = fleet.flatMap((host) => {
    const spec = saved.hosts.find(({ name }) => name === host.spec.name)
    return spec === undefined ? [] : [settled(spec, host)]
  })
  const hosts = withoutCopies(known)
  return hosts.length === fleet.length ? { ...saved, hosts } : null
}

/** A world whose hosts are directory trees below `directory`. `hostClock`: what hosts write down; else the world's clock. */
export const openWorld = (
  options: Omit<WorldOptions, 'openHost'> & { directory: string; hostClock?: () => Date },
): World =>
  createWorld({
    ...options,
    openHost: (spec, world) => {
      const root = hostRoot(options.directory, spec.name)
      reconcileHostTree(root, spec)
      return createLivingHost({ root, spec, ...world, now: options.hostClock ?? world.now })
    },
  })
