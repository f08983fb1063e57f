import type { LivingHost } from '@/simulator/host/living-host'
import type { HostSpec } from '@/simulator/host-tree/host-spec'
import type { Random } from '@/simulator/random/random'
import type { FleetHost } from './fleet-host'
import type { ServerWatcher } from './server-moves'

/** A host while the world runs. */
export type WorldHost = {
  fleet: FleetHost
  living: LivingHost
  /** Rebooting until then; null when up. Milliseconds since the epoch, as all times of the world. */
  downUntilMs: number | null
  /** `retype` only: when the types last changed hands, and when the last server of the old type went. */
  retypedAtMs: number
}

/** What an action may use. */
export type WorldView = {
  hosts: WorldHost[]
  random: Random
  nowMs: () => number
  /** Runs once the world's clock has come that far. */
  later: (delayMs: number, work: () => void) => void
  nextInstanceNumber: () => number
  watcher: () => ServerWatcher
}

/** Does one thing somewhere and returns what; null when it found nothing to do. */
export type WorldAction = (world: WorldView) => string | null

export const isUp = (host: WorldHost): boolean => host.downUntilMs === null
export const specOf = (host: WorldHost): HostSpec => host.living.spec()

/** Hosts on which servers come and go; not on a disabled one. */
export const livelyHosts = (world: WorldView): WorldHost[] =>
  world.hosts.filter(
    (host) => isUp(host) && host.fleet.story.kind !== 'still' && world.watcher().isOpen(host),
  )

export const takenServerNames = (hosts: WorldHost[]): Set<string> =>
  new Set(hosts.flatMap((host) => specOf(host).guests.map((guest) => guest.nova?.serverName ?? guest.name)))
