import type { Random } from '@/simulator/random/random'
import { PROJECTS, type ProjectName } from '@/simulator/world/projects'
import { HOUR_MS, MINUTE_MS, pressure, rhythmOf, wantedShare } from './demand'
import type { FullInterval } from './free-times'
import { storyOf } from './host-stories'
import type { ProjectUse } from './project-use'
import type { PastLimit, PastRefusal } from './types'

const DAY_MS = 24 * HOUR_MS

const NO_HOST = 'No valid host was found. There are not enough hosts available.'
const retried = (uuid: string): string =>
  `Exceeded maximum number of retries. Exhausted all hosts available for retrying build failures for instance ${uuid}.`
const overLimit = (projectId: string, limit: number): string =>
  `Project ${projectId} is over a limit for [Resource class:VGPU is over limit of ${limit} due to current usage ${limit} and delta 1]`

/** A project that was refused once does not retry every hour: of the full demand, this share tries in an hour. */
const ASKING = 0.022
/** A project at its limit does not know it before it asks. */
const ASKING_AT_LIMIT = 0.12
/** The last free one was gone when the server came to its host. */
const RETRIED = 0.08

/** A stretch in which a project held all that it may. */
export type LimitInterval = { projectId: string; limit: number; from: number; until: number }

/** When projects were at their limits. */
export const limitIntervals = (
  uses: ReadonlyMap<string, readonly ProjectUse[]>,
  { limits, end }: { limits: readonly PastLimit[]; end: number },
): LimitInterval[] =>
  [...uses].flatMap(([projectId, own]) => {
    const set = limits.filter((limit) => limit.projectId === projectId)
    return own.flatMap(({ at, used }, index) => {
      const until = own[index + 1]?.at ?? end
      return set.flatMap(({ at: since, value }, each) => {
        const interval = { from: Math.max(at, since), until: Math.min(until, set[each + 1]?.at ?? end) }
        return value === used && interval.from < interval.until
          ? [{ projectId, limit: value, ...interval }]
          : []
      })
    })
  })

/** Who offers a flavor, who has servers there, and whether limits on vGPUs count them. */
export type FlavorHost = {
  flavorName: string
  host: string
  projects: readonly ProjectName[]
  isLimited: boolean
}

type Asking = { from: number; until: number; chanceAt: (at: number) => number }

/** Moments of an interval with a request, and its retries some minutes later. */
const requestTimes = ({ from, until, chanceAt }: Asking, random: Random): number[] => {
  const times: number[] = []
  for (let hour = Math.floor(from / HOUR_MS) * HOUR_MS; hour < until; hour += HOUR_MS) {
    if (!random.chance(chanceAt(hour))) continue
    let at = hour + random.between(0, 59) * MINUTE_MS + random.between(0, 59_999)
    for (let left = random.between(1, 3); left > 0; left -= 1) {
      if (at >= from && at < until) times.push(at)
      at += random.between(2, 9) * MINUTE_MS
    }
  }
  return times
}

type Demand = {
  end: number
  /** Of each flavor, where it is given. */
  flavorHosts: ReadonlyMap<string, readonly FlavorHost[]>
  full: readonly FullInterval[]
  atLimit: readonly LimitInterval[]
}

const projectById = new Map(Object.values(PROJECTS).map((project) => [project.id, project]))

/** Demand for a flavor at a moment, relative to what there is: 0 to a little over 1. */
const demandFor = (hosts: readonly FlavorHost[], { at, end }: { at: number; end: number }): number => {
  const age = (end - at) / (365 * DAY_MS)
  const demands = hosts.map(
    ({ host, projects }) => wantedShare(rhythmOf(projects), at) * pressure(storyOf(host).trend, age),
  )
  return demands.length === 0 ? 0 : Math.max(...demands)
}

/**
 * Servers that were refused: those for which there was nothing free of their flavor, and those of projects that held
 * all they may, which Nova checks first.
 */
export const makeRefusals = ({ end, flavorHosts, full, atLimit }: Demand, random: Random): PastRefusal[] => {
  const limitThen = (projectId: string, at: number): number | null =>
    atLimit.find((each) => each.projectId === projectId && each.from <= at && at < each.until)?.limit ?? null
  const refuse = (at: number, project: (typeof PROJECTS)[ProjectName], flavorName: string): PastRefusal => {
    const uuid = random.uuid()
    const isLimited = flavorHosts.get(flavorName)?.some((index) => index.isLimited) ?? false
    const limit = isLimited ? limitThen(project.id, at) : null
    const isRetried = random.chance(RETRIED)
    const message = limit === null ? (isRetried ? retried(uuid) : NO_HOST) : overLimit(project.id, limit)
    return { at, uuid, projectId: project.id, projectName: project.name, flavorName, message }
  }
  const unplaced = full.flatMap(({ flavorName, from, until }) => {
    const own = flavorHosts.get(flavorName) ?? []
    const chanceAt = (at: number): number => ASKING * demandFor(own, { at, end })
    const names = own.flatMap(({ projects }) => projects)
    return requestTimes({ from, until, chanceAt }, random).map((at) =>
      refuse(at, PROJECTS[random.pick(names) ?? 'platform'], flavorName),
    )
  })
  const denied = atLimit.flatMap(({ projectId, from, until }) => {
    const project = projectById.get(projectId)
    const flavors = [...flavorHosts.values()]
      .flat()
      .filter(({ projects, isLimited }) => isLimited && projects.some((name) => name === project?.name))
    return requestTimes({ from, until, chanceAt: () => ASKING_AT_LIMIT }, random).flatMap((at) => {
      const flavorName = random.pick(flavors)?.flavorName
      return project === undefined || flavorName === undefined ? [] : [refuse(at, project, flavorName)]
    })
  })
  return [...unplaced, ...denied].toSorted((a, b) => a.at - b.at)
}
