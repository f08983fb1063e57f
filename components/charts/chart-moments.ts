import { zonedClock, zonedMoment } from '@/lib/util/zone-clock'

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

/** The zone of points of such a length: days and longer are stored by UTC. */
export const zoneOfSteps = (zone: string, stepSeconds: number): string =>
  stepSeconds < DAY_SECONDS ? zone : 'UTC'

const MAX_TICKS = 9
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
  for (let index = 0; ; index += 1) {
    const at = Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + index)
    if (at > until) return ticks
    if (at >= from && new Date(at).getUTCMonth() % months === 0) ticks.push(at)
  }
}

/** Where the axis is marked, in ms: at round times of the zone's clocks, a handful of them, each with its words. */
export const axisTicks = (begin: number, end: number, zone = 'UTC'): { at: number; words: string }[] => {
  const [from, until] = [zonedClock(begin, zone), zonedClock(end, zone)]
  const tickOf = (shown: number, words: string) => ({ at: zonedMoment(shown, zone), words })
  for (const pace of PACES) {
    const ticks = evenTicks(from, until, pace * 1000)
    if (ticks.length > MAX_TICKS) continue
    const isClock = pace < DAY_SECONDS
    return ticks.map((at) =>
      tickOf(at, isClock && at % (DAY_SECONDS * 1000) !== 0 ? clock.format(at) : day.format(at)),
    )
  }
  const months = MONTHS.find((each) => monthTicks(from, until, each).length <= MAX_TICKS) ?? 12
  return monthTicks(from, until, months).map((at) => tickOf(at, month.format(at)))
}

/** `21 Nov` by the zone's clocks. */
export const dayOnClock = (at: number, zone: string): string => day.format(zonedClock(at, zone))

/**
 * The time span of a point, in the zone: `Sat, 21 Nov 2026, 14:00 to 15:00`, `Sat, 21 Nov 2026`. A span in progress ends
 * earlier than its step: `14:00 to 14:26, so far`. One with an unknown begin begins later.
 */
export const pointMoment = (
  moment: number,
  {
    stepSeconds,
    zone = 'UTC',
    beginsAt = moment,
    endsAt,
  }: {
    stepSeconds: number
    zone?: string
    beginsAt?: number | undefined
    endsAt?: number | undefined
  },
): string => {
  const at = zonedClock(Math.max(moment, beginsAt), zone)
  const begin = whole.format(at)
  const stepEnd = moment + stepSeconds * 1000
  const end = zonedClock(Math.min(stepEnd, endsAt ?? stepEnd), zone)
  const rest = endsAt !== undefined && endsAt < stepEnd ? ', so far' : ''
  if (stepSeconds < DAY_SECONDS) return `${begin}, ${clock.format(at)} to ${clock.format(end)}${rest}`
  const last = whole.format(end - 1)
  return stepSeconds === DAY_SECONDS || last === begin ? begin : `${begin} to ${last}${rest}`
}

/** `2026-11-21 14:03` by the zone's clocks. */
export const formatMinute = (at: number, zone: string): string =>
  new Date(zonedClock(at, zone)).toISOString().slice(0, 16).replace('T', ' ')

/** `2026-11-21`, the day of a moment by the zone's clocks. */
export const formatDay = (at: number, zone: string): string => formatMinute(at, zone).slice(0, 10)

/** When a day `2026-11-21` begins by the zone's clocks; null: it is no day. */
export const dayBegin = (day: string, zone: string): Date | null => {
  const shown = Date.parse(`${day}T00:00Z`)
  return Number.isNaN(shown) ? null : new Date(zonedMoment(shown, zone))
}
