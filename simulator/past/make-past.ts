import { groupBy } from '@/lib/domain/cloud/match-host'
import { createRandom } from '@/simulator/random/random'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { DAY_MS, MINUTE_MS } from './demand'
import { type FreeSlots, fullIntervals } from './free-times'
import { makeHostPast, type Span } from './host-past'
import { aggregatesOf } from './host-stories'
import { createNames } from './past-guests'
import { makeLimits } from './past-limits'
import { type FlavorHost, limitIntervals, makeRefusals } from './past-refusals'
import { presentHost } from './present-host'
import { projectUse } from './project-use'
import type { Past } from './types'

/** The past has its own random numbers, independent of the world's. */
const OWN_STREAM = 0x9a57

type Choice = { fleet: readonly FleetHost[]; seed: number }
type MadeHost = { host: FleetHost; freeSlots: readonly FreeSlots[] }

/** Cards for tests, which no project requests. */
const ODD = 'gpu-odd'

/** Where each flavor is or was given, by the hosts' cards. */
const flavorHostsOf = (made: readonly MadeHost[]): Map<string, FlavorHost[]> => {
  const ordered = made.filter(({ host }) => !aggregatesOf(host.spec.name).includes(ODD))
  const flavorHosts = ordered.flatMap(({ host, freeSlots }) =>
    [...new Map(freeSlots.map(({ flavorName, isLimited }) => [flavorName, isLimited]))].flatMap(
      ([flavorName, isLimited]) =>
        flavorName === null ? [] : [{ flavorName, host: host.spec.name, projects: host.projects, isLimited }],
    ),
  )
  return groupBy(flavorHosts, ({ flavorName }) => flavorName)
}

const makeSpan = ({ fleet, seed }: Choice, span: Span): Past => {
  const { begin, end, isSequel = false } = span
  const nameOf = createNames()
  const made = fleet.map((host, index) => ({
    host,
    ...makeHostPast(presentHost(host), span, {
      // A stream for each host: one that is left out changes none of the others.
      random: createRandom((seed + OWN_STREAM) * 1009 + index),
      nameOf,
    }),
  }))
  const hosts = made.map(({ past }) => past)
  // What projects held before a sequel is not part of it.
  const uses = isSequel ? new Map() : projectUse(hosts)
  const limits = makeLimits(uses, span)
  const refusals = makeRefusals(
    {
      end,
      flavorHosts: flavorHostsOf(made),
      full: fullIntervals(
        made.map(({ freeSlots }) => freeSlots),
        end,
      ),
      atLimit: limitIntervals(uses, { limits, end }),
    },
    createRandom(seed + OWN_STREAM),
  )
  return { begin, end, hosts, refusals, limits }
}

/**
 * The past of a fleet: what its hosts' agents and the cloud would have reported in the days before `end`, up to the state
 * at `end`. The same seed, fleet and end give the same past.
 */
export const makePast = ({ end, days = 365, ...choice }: Choice & { end: Date; days?: number }): Past =>
  makeSpan(choice, { begin: end.getTime() - days * DAY_MS, end: end.getTime() })

/**
 * What came after a past that ended at `begin`: days like those before, of the same fleet, up to the state at `end`, which is
 * the state at `begin`. For some days only: its hosts lie within the stories of the past before it.
 */
export const continuePast = ({ begin, end, fleet, seed }: Choice & { begin: Date; end: Date }): Past => {
  const span = { begin: begin.getTime(), end: end.getTime(), isSequel: true }
  // Its own servers: those of the past before it have left.
  return makeSpan({ fleet, seed: seed + Math.floor(span.begin / MINUTE_MS) }, span)
}
