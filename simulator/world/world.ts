import type { LivingHost } from '@/simulator/host/living-host'
import { withNovaProcess } from '@/simulator/host/start-nova'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import { createRandom } from '@/simulator/random/random'
import type { FleetHost } from './fleet-host'
import { migrate } from './migrate-action'
import { cleanSpares, reboot, tearXml } from './operator-actions'
import { stepRetype } from './retype-action'
import { comeOrGo, stopOrStart } from './serve-actions'
import { NO_WATCHER, type ServerWatcher } from './server-moves'
import type { WorldAction, WorldHost, WorldView } from './world-host'

/** A fleet on a clock. Nothing happens but in `advance` and `applyWrites`; the same seed gives the same story. */
export type World = {
  readonly hosts: readonly WorldHost[]
  now: () => Date
  /** Moves the clock and does everything that is due, in order of time. */
  advance: (ms: number) => void
  /** Performs what was written into the hosts' trees. Returns how many writes there were. */
  applyWrites: () => number
  /** Whether the host's agent runs and reaches the console. */
  isConnected: (host: WorldHost) => boolean
  save: () => SavedWorld
  /** From now on the cloud above the hosts hears of their servers, and has a say in where they go. */
  watchServers: (watcher: ServerWatcher) => void
  /** Does something again and again on the world's clock, for the first time after `ms`. */
  every: (ms: number, work: () => void) => void
  /** What the world's own actions work on, for the cloud that acts on its hosts. */
  view: WorldView
}

/** What a world needs to continue after a restart. */
export type SavedWorld = {
  randomState: number
  instanceNumber: number
  hosts: HostSpec[]
}

export type WorldOptions = {
  fleet: FleetHost[]
  seed: number
  startAt: Date
  /** Mean time between two events somewhere in the fleet. */
  meanGapMs?: number
  /** Makes a host from its state: on disk, or in memory for long runs. */
  openHost: (spec: HostSpec, world: { now: () => Date; newUuid: () => string }) => LivingHost
  saved?: SavedWorld
  onEvent?: (sentence: string) => void
}

/** Chances out of 100. */
const ACTIONS: [weight: number, action: WorldAction][] = [
  [56, comeOrGo],
  [18, stopOrStart],
  [12, cleanSpares],
  [9, migrate],
  [3, tearXml],
  [2, reboot],
]

const RETYPE_STEP_MS = 7000
/** As often as an agent looks. */
const MEASURE_MS = 60_000

const pickAction = (world: WorldView): WorldAction => {
  let left = world.random.next() * 100
  for (const [weight, action] of ACTIONS) {
    left -= weight
    if (left < 0) return action
  }
  return comeOrGo
}

const isConnectedNow = (host: WorldHost, elapsedMs: number): boolean => {
  const { connection } = host.fleet
  if (connection.kind === 'always') return true
  if (connection.kind === 'lost') return elapsedMs < connection.afterMs
  return elapsedMs % (connection.connectedMs + connection.lostMs) < connection.connectedMs
}

type Due = { atMs: number; order: number; work: () => void }

const NOVA_RUNS_MS = 9 * 86_400_000

/** nova-compute has been running for some days when the story begins. */
const withRunningNova = (spec: HostSpec, startMs: number): HostSpec =>
  spec.nova.process === null ? withNovaProcess(spec, startMs - NOVA_RUNS_MS, null) : spec

/** The fleet is made from the seed itself: with the same numbers a new server would get the uuid of one that is there. */
const OWN_STREAM = 0x5eed

export const createWorld = (options: WorldOptions): World => {
  const { fleet, saved, openHost } = options
  const random = createRandom(saved?.randomState ?? options.seed + OWN_STREAM)
  const startMs = options.startAt.getTime()
  let nowMs = startMs
  let order = 0
  let instanceNumber = saved?.instanceNumber ?? 0x12c0
  const due: Due[] = []
  let watcher = NO_WATCHER
  const now = (): Date => new Date(nowMs)
  const savedSpec = (name: string): HostSpec | undefined => saved?.hosts.find((spec) => spec.name === name)

  const hosts = fleet.map((host): WorldHost => {
    const running = withRunningNova(savedSpec(host.spec.name) ?? host.spec, startMs)
    const spec = running.hasCommandOutput ? { ...running, measuredAtMs: startMs } : running
    const living = openHost(spec, { now, newUuid: random.uuid })
    const opened = { fleet: host, living, downUntilMs: null, retypedAtMs: startMs }
    living.onNovaStart(() => watcher.novaStarted(opened))
    return opened
  })

  const later = (delayMs: number, work: () => void): void => {
    order += 1
    due.push({ atMs: nowMs + delayMs, order, work })
    due.sort((a, b) => a.atMs - b.atMs || a.order - b.order)
  }

  const view: WorldView = {
    hosts,
    random,
    nowMs: () => nowMs,
    later,
    nextInstanceNumber: () => {
      instanceNumber += 1
      return instanceNumber
    },
    watcher: () => watcher,
  }

  const every = (ms: number, work: () => void): void =>
    later(ms, () => {
      work()
      every(ms, work)
    })

  const report = (sentence: string | null): void => {
    if (sentence !== null) options.onEvent?.(sentence)
  }

  const scheduleEvent = (): void => {
    const gapMs = Math.min(20_000, -Math.log(1 - random.next()) * (options.meanGapMs ?? 3500))
    later(gapMs, () => {
      report(pickAction(view)(view))
      scheduleEvent()
    })
  }

  scheduleEvent()
  every(MEASURE_MS, () => {
    for (const { living } of hosts)
      if (living.spec().hasCommandOutput) living.become({ ...living.spec(), measuredAtMs: nowMs })
  })
  for (const host of hosts)
    if (host.fleet.story.kind === 'retype') every(RETYPE_STEP_MS, () => report(stepRetype(view, host)))

  return {
    hosts,
    now,
    advance: (ms) => {
      const endMs = nowMs + ms
      for (let next = due[0]; next !== undefined && next.atMs <= endMs; next = due[0]) {
        due.shift()
        nowMs = Math.max(nowMs, next.atMs)
        next.work()
      }
      nowMs = endMs
    },
    applyWrites: () => hosts.reduce((count, host) => count + host.living.applyWrites(), 0),
    isConnected: (host) => host.downUntilMs === null && isConnectedNow(host, nowMs - startMs),
    save: () => ({
      randomState: random.state(),
      instanceNumber,
      hosts: hosts.map(({ living }) => living.spec()),
    }),
    watchServers: (next) => {
      watcher = next
    },
    every,
    view,
  }
}
