import { createRandom, type Random } from '@/simulator/random/random'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { PROJECTS, type ProjectName } from '@/simulator/world/projects'
import { DAY_MS, MINUTE_MS } from './demand'
import { makeHostPast, type Span, type Unmet } from './host-past'
import { createNames } from './past-guests'
import { makeLimits } from './past-limits'
import { type PresentHost, presentHost } from './present-host'
import type { Past, PastRefusal } from './types'

/** The past has numbers of its own, whatever the world draws. */
const OWN_STREAM = 0x9a57

const NO_HOST = 'No valid host was found. There are not enough hosts available.'
const retried = (uuid: string): string =>
  `Exceeded maximum number of retries. Exhausted all hosts available for retrying build failures for instance ${uuid}.`
const overLimit = (projectId: string, limit: number): string =>
  `Project ${projectId} is over a limit for [Resource class:VGPU is over limit of ${limit} due to current usage ${limit} and delta 1]`

/** A busy type of the host, as the flavor that gives it. */
const flavorOn = (host: PresentHost, random: Random): string => {
  const names = host.cards.flatMap(({ type }) => (type?.typeName == null ? [] : [type.typeName]))
  return `vgpu.${(random.pick(names) ?? 'gpu').toLowerCase()}`
}

const wordsOf = (random: Random, { uuid, projectId }: { uuid: string; projectId: string }): string => {
  const draw = random.next()
  if (draw < 0.78) return NO_HOST
  return draw < 0.93 ? overLimit(projectId, 8 * random.between(3, 16)) : retried(uuid)
}

/** Some of those for whom there was no room: who is told no once does not ask every hour. */
const refusalsOf = (unmet: readonly Unmet[], random: Random): PastRefusal[] =>
  unmet.flatMap(({ at, count, host }) =>
    Array.from({ length: Math.min(count, 3) }).flatMap(() => {
      if (!random.chance(0.11)) return []
      const project = PROJECTS[random.pick<ProjectName>(host.projects) ?? 'platform']
      const uuid = random.uuid()
      const flavorName = flavorOn(host, random)
      const said = wordsOf(random, { uuid, projectId: project.id })
      const when = at + random.between(0, 50) * 60_000
      return [{ at: when, uuid, projectId: project.id, projectName: project.name, flavorName, said }]
    }),
  )

type Choice = { fleet: readonly FleetHost[]; seed: number }

const makeSpan = ({ fleet, seed }: Choice, span: Span): Past => {
  const nameOf = createNames()
  const made = fleet.map((host, place) =>
    makeHostPast(presentHost(host), span, {
      // A stream for each host: one that is left out changes none of the others.
      random: createRandom((seed + OWN_STREAM) * 1009 + place),
      nameOf,
    }),
  )
  const refusals = refusalsOf(
    made.flatMap(({ unmet }) => unmet),
    createRandom(seed + OWN_STREAM),
  )
  return {
    begin: span.begin,
    end: span.end,
    hosts: made.map(({ past }) => past),
    refusals: refusals.filter(({ at }) => at < span.end).toSorted((a, b) => a.at - b.at),
    limits: [],
  }
}

/**
 * The past of a fleet: what its hosts' agents and the cloud would have told in the days before `end`, up to what stands there
 * then. The same seed, fleet and end give the same past.
 */
export const makePast = ({ end, days = 365, ...choice }: Choice & { end: Date; days?: number }): Past => {
  const span = { begin: end.getTime() - days * DAY_MS, end: end.getTime() }
  const past = makeSpan(choice, span)
  return { ...past, limits: makeLimits(past.hosts, span) }
}

/**
 * What came after a past that ended at `begin`: days like those before, of the same fleet, up to what stands at `end`, which is
 * what stood at `begin`. For some days only: its hosts lie within the stories of the past before it.
 */
export const continuePast = ({ begin, end, fleet, seed }: Choice & { begin: Date; end: Date }): Past => {
  const span = { begin: begin.getTime(), end: end.getTime(), isSequel: true }
  // Servers of its own: those of the past before it have left.
  return makeSpan({ fleet, seed: seed + Math.floor(span.begin / MINUTE_MS) }, span)
}
