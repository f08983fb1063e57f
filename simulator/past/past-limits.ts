import { DAY_MS, HOUR_MS, MINUTE_MS, workingMorning } from './demand'
import type { ProjectUse } from './project-use'
import type { PastLimit } from './types'

/** Limits are round numbers. */
const STEP = 4
/** What an admin adds without knowing the future demand. */
const SLACK = 1.15
/** Some keep close to the use: so many round numbers above it are candidates. */
const CLOSE = 8
/** A limit that is reached sooner than that was not thought through. */
const LASTS_MS = 12 * DAY_MS

const rounded = (value: number): number => Math.ceil(value / STEP) * STEP

/** When an admin may raise limits: in the morning of a working day, not at the same minute. */
const morningsOf = ({ begin, end }: { begin: number; end: number }): number[] => {
  const mornings: number[] = []
  for (let at = workingMorning(begin + DAY_MS); at < end; at = workingMorning(at + DAY_MS)) mornings.push(at)
  return mornings
    .map((at) => at + HOUR_MS + ((Math.floor(at / DAY_MS) * 37) % 150) * MINUTE_MS)
    .filter((at) => at < end)
}

const usedAt = (uses: readonly ProjectUse[], at: number): number =>
  uses.findLast((use) => use.at <= at)?.used ?? 0

const maxWithin = (uses: readonly ProjectUse[], from: number, until: number): number =>
  Math.max(usedAt(uses, from), ...uses.filter(({ at }) => at > from && at <= until).map(({ used }) => used))

/** What becomes of a limit of `value` set at `at`: when the project reaches it, and when it must be raised. */
const fateOf = (
  { uses, mornings }: { uses: readonly ProjectUse[]; mornings: readonly number[] },
  at: number,
  value: number,
): { reachedAt: number | null; raiseAt: number | null } => {
  const reachedAt = uses.find((use) => use.at > at && use.used >= value)?.at ?? null
  if (reachedAt === null) return { reachedAt, raiseAt: null }
  const passedAt = uses.find((use) => use.at > at && use.used > value)?.at ?? Number.POSITIVE_INFINITY
  const after = mornings.find((morning) => morning > reachedAt) ?? null
  if ((after ?? Number.POSITIVE_INFINITY) <= passedAt) return { reachedAt, raiseAt: after }
  // It is passed on the same day: an admin expected it.
  return { reachedAt: null, raiseAt: mornings.findLast((morning) => morning < reachedAt) ?? null }
}

/** The limits of one project: never less than it uses, and now and then all of it. */
const limitsOf = (
  projectId: string,
  story: { uses: readonly ProjectUse[]; mornings: readonly number[] },
): PastLimit[] => {
  const { uses, mornings } = story
  const planned: PastLimit[] = []
  for (let at = mornings[0] ?? null; at !== null; ) {
    const now = at
    const next = mornings.find((morning) => morning > now) ?? Number.POSITIVE_INFINITY
    const minimum = Math.max(rounded(maxWithin(uses, now, next)), (planned.at(-1)?.value ?? 0) + STEP)
    const close = Array.from({ length: CLOSE }, (_, index) => minimum + index * STEP)
    const value =
      close.find((each) => (fateOf(story, now, each).reachedAt ?? 0) > now + LASTS_MS) ??
      rounded(minimum * SLACK)
    planned.push({ at: now, projectId, value, used: usedAt(uses, now) })
    at = fateOf(story, now, value).raiseAt
  }
  return planned
}

/** The limits that hold at their end, by the project's id. */
export const lastLimits = (limits: readonly PastLimit[]): Record<string, number> =>
  Object.fromEntries(limits.map(({ projectId, value }) => [projectId, value]))

/** Each project's limit on vGPUs as an admin would have raised it over the year. */
export const makeLimits = (
  uses: ReadonlyMap<string, readonly ProjectUse[]>,
  span: { begin: number; end: number },
): PastLimit[] => {
  const mornings = morningsOf(span)
  return [...uses]
    .flatMap(([projectId, own]) => limitsOf(projectId, { uses: own, mornings }))
    .toSorted((a, b) => a.at - b.at)
}
