import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { hostRoot, openWorld } from '@/simulator/world/open-world'
import type { World } from '@/simulator/world/world'
import { removeTree } from './remove-tree'
import { makeTemporaryDirectory } from './temporary-directory'

export type TestWorld = World & {
  directory: string
  /** What the agent of a host takes as `--root`. */
  rootOf: (hostName: string) => string
  remove: () => void
}

/** Hosts as trees in their own folder, on a clock that only `advance` moves. The same seed gives the same world. */
export const createTestWorld = (
  options: { hostCount?: number; seed?: number; startAt?: Date; fleet?: FleetHost[] } = {},
): TestWorld => {
  const { seed = 1, startAt = new Date('2026-11-21T12:00:00Z'), hostCount = 3 } = options
  const directory = makeTemporaryDirectory('test-world')
  const fleet = options.fleet ?? demoFleet({ seed, startAt, hostCount })
  const world = openWorld({ directory, fleet, seed, startAt })
  return {
    ...world,
    directory,
    rootOf: (hostName) => hostRoot(directory, hostName),
    remove: () => removeTree(directory),
  }
}
