import { DAY_MS, HOUR_MS, MINUTE_MS, workingMorning } from './demand'
import type { HostPast, PastLimit } from './types'

/** Limits are raised when a project comes close to them, in steps. */
const STEP = 8
const SLACK = 1.15
const LOOK_MS = 7 * DAY_MS

/** Somebody looks on the same morning of each week, not at the same minute. */
const lookAt = (first: number, week: number): number =>
  first + week * LOOK_MS + ((week * 37) % 150) * MINUTE_MS + HOUR_MS

/** Each project's limit on vGPUs as an admin would have raised it over the year: looked at once a week. */
export const makeLimits = (
  hosts: readonly HostPast[],
  { begin, end }: { begin: number; end: number },
): PastLimit[] => {
  const changes = hosts
    .flatMap(({ holdings }) => holdings)
    .filter(({ projectId }) => projectId !== null)
    .toSorted((a, b) => a.at - b.at)
  const held = new Map<string, number>()
  const used = new Map<string, number>()
  const most = new Map<string, number>()
  const limits = new Map<string, number>()
  const told: PastLimit[] = []
  let place = 0
  const first = workingMorning(begin + DAY_MS)
  for (let week = 0; lookAt(first, week) < end; week += 1) {
    const at = lookAt(first, week)
    for (; place < changes.length && (changes[place]?.at ?? at) < at; place += 1) {
      const change = changes[place]
      if (change === undefined || change.projectId === null) continue
      const { uuid, projectId } = change
      const now = (used.get(projectId) ?? 0) + change.addresses.length - (held.get(uuid) ?? 0)
      held.set(uuid, change.addresses.length)
      used.set(projectId, now)
      most.set(projectId, Math.max(most.get(projectId) ?? 0, now))
    }
    for (const [projectId, peak] of most) {
      const wanted = Math.ceil((peak * SLACK) / STEP) * STEP
      if (wanted <= (limits.get(projectId) ?? 0)) continue
      limits.set(projectId, wanted)
      told.push({ at, projectId, value: wanted, used: used.get(projectId) ?? 0 })
    }
  }
  return told
}
