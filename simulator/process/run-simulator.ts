import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { hostRoot, openWorld, settledWorld } from '@/simulator/world/open-world'
import type { SavedWorld, World } from '@/simulator/world/world'
import { createAgentFleet, type RunAgent } from './agent-fleet'
import { fleetFingerprint, loadWorld, saveWorld } from './world-file'

/** A world whose trees stand on disk, not yet moving. */
export type PreparedWorld = { world: World; directory: string; save: () => void }

export type WorldChoice = {
  /** Trees, agents' state and the saved world lie below it. */
  directory: string
  seed: number
  hostCount?: number
  /** When the story begins; now by default. */
  startAt?: Date
  /** When its servers were in that state, for their ages; by default when the story begins. */
  populatedAt?: Date
  onEvent?: (sentence: string) => void
}

export type SimulatorOptions = {
  prepared: PreparedWorld
  serverUrl: string
  /** May be null once every host is enrolled. */
  joinToken: string | null
  intervalSeconds: number
  runAgent: RunAgent
  signal: AbortSignal
  onWarning: (sentence: string) => void
}

const TICK_MS = 250
/** A round over all trees takes this many ticks, so that a write is noticed within some three seconds. */
const TICKS_PER_ROUND = 12
const SAVE_MS = 15_000
/** After a sleeping laptop the world does not make up for the night. */
const LONGEST_STEP_MS = 5000

/** Holds a folder per host with its agent's credential and counters. */
export const agentsDirectory = (directory: string): string => path.join(directory, 'agents')

const treesDirectory = (directory: string): string => path.join(directory, 'hosts')

/** Checks a few trees per tick. */
const createWriteWatcher = (world: World): (() => void) => {
  let at = 0
  const perTick = Math.ceil(world.hosts.length / TICKS_PER_ROUND)
  return () => {
    for (let count = 0; count < perTick; count += 1) {
      world.hosts[at % world.hosts.length]?.living.applyWrites()
      at += 1
    }
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

type ChosenWorld = {
  /** As it is when the story begins, or where the saved world stopped. */
  fleet: FleetHost[]
  first: FleetHost[]
  fingerprint: string
  saved: SavedWorld | null
}

/** The fleet of a seed, and what was saved of an earlier run of it. */
export const chooseWorld = ({
  directory,
  seed,
  hostCount,
  startAt,
}: Omit<WorldChoice, 'onEvent' | 'startAt' | 'populatedAt'> & { startAt: Date }): ChosenWorld => {
  const only = hostCount === undefined ? {} : { hostCount }
  const first = demoFleet({ seed, startAt, ...only })
  // Times of creation depend on the day; the fleet's definition does not.
  const fingerprint = fleetFingerprint(demoFleet({ seed, startAt: new Date(0), ...only }))
  const saved = settledWorld(loadWorld(directory, fingerprint), first)
  const fleet = first.map((host) => ({
    ...host,
    spec: saved?.hosts.find(({ name }) => name === host.spec.name) ?? host.spec,
  }))
  return { fleet, first, fingerprint, saved }
}

/** Writes the trees, or brings those of an earlier run to where the saved world stopped. Takes some seconds of CPU. */
export const prepareWorld = ({ onEvent, ...choice }: WorldChoice): PreparedWorld => {
  const { directory, seed, startAt = new Date(), populatedAt = startAt } = choice
  const { first, fingerprint, saved } = chooseWorld({ ...choice, startAt: populatedAt })
  mkdirSync(treesDirectory(directory), { recursive: true })
  const world = openWorld({
    directory: treesDirectory(directory),
    fleet: first,
    seed,
    startAt,
    // The world falls behind while the machine is busy; consoles compare times with their own.
    hostClock: () => new Date(),
    ...(saved === null ? {} : { saved }),
    ...(onEvent === undefined ? {} : { onEvent }),
  })
  return { world, directory, save: () => saveWorld(directory, fingerprint, world.save()) }
}

/** Lets a world live in real time, with the real agent on each host, until the signal aborts. */
export const runSimulator = async (options: SimulatorOptions): Promise<void> => {
  const { world, directory, save } = options.prepared
  const agents = createAgentFleet({
    ...options,
    stateDirectoryOf: (hostName) => path.join(agentsDirectory(directory), hostName),
  })
  const startedMs = performance.now()
  const staggerMs = (options.intervalSeconds * 1000) / world.hosts.length
  const watchWrites = createWriteWatcher(world)
  let lastMs = startedMs
  let savedMs = startedMs

  const tick = (): void => {
    const nowMs = performance.now()
    world.advance(Math.min(LONGEST_STEP_MS, nowMs - lastMs))
    lastMs = nowMs
    watchWrites()
    world.hosts.forEach((host, index) => {
      if (nowMs - startedMs < index * staggerMs) return
      const { name } = host.living
      agents.set({ name, root: hostRoot(treesDirectory(directory), name) }, world.isConnected(host))
    })
    if (nowMs - savedMs < SAVE_MS) return
    savedMs = nowMs
    save()
  }

  const timer = setInterval(tick, TICK_MS)
  await untilAborted(options.signal)
  clearInterval(timer)
  await agents.close()
  save()
}
