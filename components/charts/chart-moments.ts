const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS

const UTC = { timeZone: 'UTC' } as const
const day = new Intl.DateTimeFormat('en-GB', { ...UTC, day: 'numeric', month: 'short' })
const month = new Intl.DateTimeFormat('en-GB', { ...UTC, month: 'short', year: 'numeric' })
const clock = new Intl.DateTimeFormat('en-GB', { ...UTC, hour: '2-digit', minute: '2-digit' })
const whole = new Intl.DateTimeFormat('en-GB', {
  ...UTC,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

const MOST_TICKS = 9
/** Seconds between ticks, as far as they are alike; then whole months. */
const PACES = [0.25, 1, 2, 3, 6, 12, 24, 48, 168, 336].map((hours) => hours * HOUR_SECONDS)
const MONTHS = [1, 2, 3, 6, 12] as const

const evenTicks = (from: number, until: number, paceMs: number): number[] => {
  const first = Math.ceil(from / paceMs) * paceMs
  return Array.from(
    { length: Math.max(0, Math.floor((until - first) / paceMs) + 1) },
    (_, at) => first + at * paceMs,
  )
}

const monthTicks = (from: number, until: number, months: number): number[] => {
  const begin = new Date(from)
  const ticks: number[] = []
  for (let place = 0; ; place += 1) {
    const at = Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + place)
    if (at > until) return ticks
    if (at >= from && new Date(at).getUTCMonth() % months === 0) ticks.push(at)
  }
}

/** Where the axis is marked, in ms: at round times in UTC, a handful of them, each with its words. */
export const axisTicks = (from: number, until: number): { at: number; words: string }[] => {
  for (const pace of PACES) {
    const ticks = evenTicks(from, until, pace * 1000)
    if (ticks.length > MOST_TICKS) continue
    const isClock = pace < DAY_SECONDS
    return ticks.map((at) => ({
      at,
      words: isClock && at % (DAY_SECONDS * 1000) !== 0 ? clock.format(at) : day.format(at),
    }))
  }
  const months = MONTHS.find((each) => monthTicks(from, until, each).length <= MOST_TICKS) ?? 12
  return monthTicks(from, until, months).map((at) => ({ at, words: month.format(at) }))
}

/** What a point stands for, in UTC: `Sat, 21 Nov 2026, 14:00 to 15:00`, `Sat, 21 Nov 2026`. */
export const pointMoment = (at: number, stepSeconds: number): string => {
  const begin = whole.format(at)
  const end = at + stepSeconds * 1000
  if (stepSeconds < DAY_SECONDS) return `${begin}, ${clock.format(at)} to ${clock.format(end)}`
  return stepSeconds === DAY_SECONDS ? begin : `${begin} to ${whole.format(end - 1)}`
}
