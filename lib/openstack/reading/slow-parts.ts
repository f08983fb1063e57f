import type { Round } from './round'
import type { PartAges } from './types'

export type SlowPart = keyof PartAges

/**
 * Requests that a part costs on a cloud of 1,000 hosts, by which it is fitted into a round. Hypervisors are read in the
 * middle of one: two requests, and the three for servers and migrations that follow.
 */
const COSTS: Readonly<Record<SlowPart, number>> = {
  hypervisors: 5,
  flavors: 1,
  aggregates: 1,
  limits: 2,
  projects: 1,
  versions: 1,
  networkAgents: 1,
}

/**
 * Values that people change manually are requested in every round that has requests left. What detectors need is read before it
 * counts as too old, after 180 s (lib/server/context/request-context.ts).
 */
export const DEFAULT_AGES: PartAges = {
  hypervisors: 120,
  flavors: 25,
  aggregates: 85,
  limits: 25,
  projects: 900,
  versions: 86_400,
  networkAgents: 120,
}

/**
 * Parts that are read exactly at their age. They do not wait for a round with room, because they cost one request. After a
 * failure they are not read earlier: the service is optional, and one that hangs must not delay each round.
 */
export const PARTS_BY_AGE: ReadonlySet<SlowPart> = new Set(['networkAgents'])

/** A round in which nothing changed costs no more; parts whose time has come wait for a round with room. */
export const QUIET_REQUESTS = 10
/** Waiting for room ends at this age: rounds of a large cloud never have room. */
const PATIENCE_SECONDS = 120

export type SlowClock = {
  /** Whether the part is requested now. */
  isDue: (part: SlowPart, round: Pick<Round, 'now' | 'spent'>) => boolean
  /** After it was read. */
  done: (part: SlowPart, now: Date) => void
}

export const createSlowClock = (ages: PartAges): SlowClock => {
  const readAtMs = new Map<SlowPart, number>()
  return {
    isDue: (part, round) => {
      const atMs = readAtMs.get(part)
      if (atMs === undefined) return true
      const ageSeconds = (round.now.getTime() - atMs) / 1000
      if (ageSeconds < ages[part]) return false
      if (PARTS_BY_AGE.has(part)) return true
      return ageSeconds >= PATIENCE_SECONDS || round.spent() + COSTS[part] <= QUIET_REQUESTS
    },
    done: (part, now) => {
      readAtMs.set(part, now.getTime())
    },
  }
}
