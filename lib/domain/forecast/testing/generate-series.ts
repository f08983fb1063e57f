/** What a generated group did, day by day. */
export type SeriesStory = {
  days: number
  capacity: number
  /** Used on the first day, and more each day. */
  begin: number
  perDay: number
  /** From a day on it grows by so much each day instead. */
  turn: { day: number; perDay: number } | null
  /** Of the level, more on working days than on others. */
  weekShare: number
  /** Standard deviation of a day, in vGPUs. */
  noise: number
  /** What comes or leaves at once. */
  steps: readonly { day: number; by: number }[]
  /** How far the level wanders by chance each day, in vGPUs. */
  wander: number
  /** Days of which nothing is known. */
  gaps: readonly { from: number; until: number }[]
}

const STILL: SeriesStory = {
  days: 270,
  capacity: 400,
  begin: 100,
  perDay: 0,
  turn: null,
  weekShare: 0,
  noise: 0,
  steps: [],
  wander: 0,
  gaps: [],
}

/** 1 January 2026, a Thursday, as a day counted from 1 January 1970. */
export const FIRST_DAY = 20_454

/** About normal, with a standard deviation of 1. */
const bell = (next: () => number): number => next() + next() + next() + next() + next() + next() - 3

/** The daily peaks and the capacity of a story; `next` gives numbers from 0 to 1. */
export const generateSeries = (
  words: Partial<SeriesStory>,
  next: () => number,
): { firstDay: number; peaks: (number | null)[]; capacity: (number | null)[] } => {
  const story = { ...STILL, ...words }
  const peaks: (number | null)[] = []
  let level = story.begin
  for (let day = 0; day < story.days; day += 1) {
    const { turn } = story
    const perDay = turn !== null && day >= turn.day ? turn.perDay : story.perDay
    level += perDay + story.wander * bell(next) * Math.SQRT2
    level += story.steps.reduce((sum, step) => (step.day === day ? sum + step.by : sum), 0)
    const isWorkingDay = (FIRST_DAY + day + 3) % 7 < 5
    const shaped = level * (1 + (isWorkingDay ? 0.4 : -1) * story.weekShare)
    const peak = Math.round(shaped + story.noise * bell(next) * Math.SQRT2)
    const isGap = story.gaps.some(({ from, until }) => day >= from && day < until)
    peaks.push(isGap ? null : Math.min(story.capacity, Math.max(0, peak)))
  }
  return {
    firstDay: FIRST_DAY,
    peaks,
    capacity: peaks.map((peak) => (peak === null ? null : story.capacity)),
  }
}
