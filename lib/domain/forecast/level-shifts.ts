import { median } from './robust'

/**
 * A shift exceeds the usual difference between weeks by this factor, and at least this share of the level and this number
 * of vGPUs.
 */
const TIMES = 6
const MIN_SHARE = 0.08
const MIN_VGPUS = 2
/** More of them in one window are how this group grows. */
const MAX_SHIFTS = 2

type Weeks = readonly (number | null)[]

const stepsOf = (weeks: Weeks): { at: number; by: number }[] => {
  const steps: { at: number; by: number }[] = []
  let last: number | null = null
  for (const [at, week] of weeks.entries()) {
    if (week === null) continue
    if (last !== null) steps.push({ at, by: week - last })
    last = week
  }
  return steps
}

/**
 * What came or left at once between the levels of weeks (a project that leaves, a type that is moved): the first week that has
 * it, and by how much beyond the usual growth. Two at most; what shifts more often grows that way, and has none.
 */
export const levelShifts = (weeks: Weeks): { at: number; by: number }[] => {
  const steps = stepsOf(weeks)
  const usual = median(steps.map(({ by }) => by)) ?? 0
  const spread = 1.4826 * (median(steps.map(({ by }) => Math.abs(by - usual))) ?? 0)
  const level = median(weeks.filter((week) => week !== null)) ?? 0
  const min = Math.max(TIMES * spread, MIN_SHARE * level, MIN_VGPUS)
  const shifts = steps.filter(({ by }) => Math.abs(by - usual) > min)
  return shifts.length > MAX_SHIFTS ? [] : shifts.map(({ at, by }) => ({ at, by: by - usual }))
}

/** The weeks as if shifts had always been so: earlier weeks are lifted or lowered to where the last one is. */
export const withoutShifts = (weeks: Weeks): (number | null)[] => {
  const shifts = levelShifts(weeks)
  return weeks.map((week, index) =>
    week === null ? null : shifts.reduce((sum, { at, by }) => (index < at ? sum + by : sum), week),
  )
}
