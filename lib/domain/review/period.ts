import { zonedClock, zonedMoment } from '@/lib/util/zone-clock'

export type PeriodKind = 'month' | 'quarter'

/** A month or quarter in a time zone; `from` and `until` in ms since the epoch. */
export type Period = { kind: PeriodKind; name: string; timeZone: string; from: number; until: number }

const HOUR_MS = 3_600_000

/** `2026-10`, `2026-Q4`. */
const PERIOD_NAME = /^(\d{4})-(?:(0[1-9]|1[0-2])|Q([1-4]))$/

const monthBegin = (year: number, month: number, timeZone: string): number =>
  zonedMoment(Date.UTC(year, month), timeZone)

/** The period of a name in a zone that `isTimeZone` (lib/util/zone-offset) knows; null: it is no name of one. */
export const parsePeriod = (name: string, timeZone: string): Period | null => {
  const match = PERIOD_NAME.exec(name)
  if (match === null) return null
  const [, year = '', month, quarter] = match
  const first = month === undefined ? (Number(quarter) - 1) * 3 : Number(month) - 1
  const length = month === undefined ? 3 : 1
  return {
    kind: month === undefined ? 'quarter' : 'month',
    name,
    timeZone,
    from: monthBegin(Number(year), first, timeZone),
    until: monthBegin(Number(year), first + length, timeZone),
  }
}

const nameAt = (kind: PeriodKind, year: number, month: number): string =>
  kind === 'quarter'
    ? `${year}-Q${Math.floor(month / 3) + 1}`
    : `${year}-${String(month + 1).padStart(2, '0')}`

/** Periods of a kind that the time from `from` to `until` (ms) touches, the newest first. */
export const periodsBetween = (
  kind: PeriodKind,
  { from, until, timeZone }: { from: number; until: number; timeZone: string },
): Period[] => {
  const begin = new Date(zonedClock(from, timeZone))
  const end = new Date(zonedClock(until, timeZone))
  const months =
    (end.getUTCFullYear() - begin.getUTCFullYear()) * 12 + end.getUTCMonth() - begin.getUTCMonth()
  const names = Array.from({ length: months + 1 }, (_, index) => {
    const month = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + index))
    return nameAt(kind, month.getUTCFullYear(), month.getUTCMonth())
  })
  return [...new Set(names)]
    .map((name) => parsePeriod(name, timeZone))
    .filter((period) => period !== null && period.from < until && period.until > from)
    .map((period) => period as Period)
    .toReversed()
}

/**
 * How long after its end reports of a period may still arrive before it is final: an agent that was disconnected over
 * night, or a console that was down, delivers its stored reports within a day (decision 018).
 */
export const SETTLE_MS = 24 * HOUR_MS

/** `open`: it is still going on; `settling`: late reports are waited for; `closed`: it can be frozen. */
export type PeriodState = 'open' | 'settling' | 'closed'

export const periodState = ({ until }: Pick<Period, 'until'>, now: number): PeriodState => {
  if (now < until) return 'open'
  return now < until + SETTLE_MS ? 'settling' : 'closed'
}

/** The whole hours of UTC that begin within a time; in zones that are half an hour off the first one is cut by that. */
export const wholeHours = ({
  from,
  until,
}: {
  from: number
  until: number
}): { from: number; until: number } => ({
  from: Math.ceil(from / HOUR_MS) * HOUR_MS,
  until: Math.ceil(until / HOUR_MS) * HOUR_MS,
})
