import type { ForecastExhaustion, ForecastGroup, NoForecastReason } from '@/lib/schemas/api/forecast'
import { formatCount, formatNoun } from '@/lib/util/format'

const UTC = { timeZone: 'UTC' } as const
const dayMonth = new Intl.DateTimeFormat('en-GB', { ...UTC, day: 'numeric', month: 'short' })
const dayMonthYear = new Intl.DateTimeFormat('en-GB', {
  ...UTC,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
const month = new Intl.DateTimeFormat('en-GB', { ...UTC, month: 'short' })
const monthYear = new Intl.DateTimeFormat('en-GB', { ...UTC, month: 'short', year: 'numeric' })

const yearOf = (day: string): string => day.slice(0, 4)

/** `12 Oct`, of another year than `today`'s `12 Oct 2025`. Days as dates: `2026-10-12`. */
export const formatDay = (day: string, today: string): string =>
  (yearOf(day) === yearOf(today) ? dayMonth : dayMonthYear).format(new Date(day))

/** `May 2027`. */
export const formatMonth = (day: string): string => monthYear.format(new Date(day))

/** `Jan 2027`, `Jan to Mar 2027`, `Nov 2026 to Feb 2027`. */
const formatMonths = (from: string, until: string): string => {
  const [begin, end] = [new Date(from), new Date(until)]
  if (from.slice(0, 7) === until.slice(0, 7)) return monthYear.format(end)
  return `${(yearOf(from) === yearOf(until) ? month : monthYear).format(begin)} to ${monthYear.format(end)}`
}

type ExhaustionText = { text: string; tone: 'bad' | 'warn' | 'plain' | 'quiet' }

export const EXHAUSTION_STYLES: Readonly<Record<ExhaustionText['tone'], string>> = {
  bad: 'text-bad',
  warn: 'text-warn',
  plain: '',
  quiet: 'text-ink3',
}

/** When it is full, as table text: `since 12 Oct`, `Jan to Mar 2027`, `after Aug 2027`, `not growing`. */
export const formatExhaustion = (exhaustion: ForecastExhaustion, today: string): ExhaustionText => {
  switch (exhaustion.kind) {
    case 'full':
      return { text: `since ${formatDay(exhaustion.since, today)}`, tone: 'bad' }
    case 'after':
      return { text: `after ${monthYear.format(new Date(exhaustion.day))}`, tone: 'plain' }
    case 'not-growing':
      return { text: 'not growing', tone: 'quiet' }
    case 'dated': {
      const { earliest, likely, latest } = exhaustion
      if (latest !== null) return { text: formatMonths(earliest, latest), tone: 'warn' }
      const from = monthYear.format(new Date(earliest))
      // Only the upper end of the range gets there.
      return likely === null
        ? { text: `not before ${from}`, tone: 'plain' }
        : { text: `${from} or later`, tone: 'warn' }
    }
  }
}

/** Why there is no forecast, in a word and in a sentence. */
export const noForecastText = (none: NoForecastReason, today: string): { text: string; because: string } => {
  switch (none.reason) {
    case 'no-better':
      return {
        text: 'no forecast',
        because:
          'Not enough signal: past forecasts were not more accurate than the last day’s or last week’s values.',
      }
    case 'too-short':
      return {
        text: 'not enough data',
        because: `A forecast needs ${formatCount(none.neededDays)} days of data; ${formatNoun(none.knownDays, 'day is', 'days are')} available.`,
      }
    case 'gaps':
      return {
        text: 'not enough data',
        because: `Only ${formatCount(none.knownDays)} of the last ${formatNoun(none.ofDays, 'day')} have data: hosts did not report.`,
      }
    case 'stale':
      return {
        text: 'not enough data',
        because: `No data since ${formatDay(none.lastDay, today)}: hosts do not report.`,
      }
  }
}

/** `-0.4 to +1.2`, without a range `+1.4`; null: unknown. */
export const formatGrowthRange = ({
  growthPerWeek,
  weak,
}: Pick<ForecastGroup, 'growthPerWeek' | 'weak'>): string | null => {
  if (growthPerWeek !== null) return formatGrowthPerWeek(growthPerWeek)
  if (weak === null) return null
  const [low, high] = [weak.growthPerWeek.low, weak.growthPerWeek.high].map(formatGrowthPerWeek)
  return low === high ? (low ?? null) : `${low} to ${high}`
}

/** The note below a table for all groups without a forecast for the most frequent reason; null: there are none. */
export const noBetterNote = (groups: readonly ForecastGroup[]): string | null =>
  groups.some(({ none }) => none?.reason === 'no-better')
    ? 'Weak signal: past forecasts were not more accurate than the last day’s or last week’s values, so a straight line through the weekly peaks of the last quarter is shown, with its range.'
    : null

/** What `since 12 Oct` means. */
export const SINCE_NOTE = 'Since: full at least once a week since that date.'

/** What the column of errors means; null: no group has any. */
export const errorNote = (groups: readonly ForecastGroup[]): string | null =>
  groups.some(({ errors }) => errors.length > 0)
    ? 'Error / baseline: the typical error of past forecasts in vGPUs, and that of the last day’s or last week’s value, for the given number of days.'
    : null

/** When a group is full: by its forecast, else by its line, which a label marks as weak. */
export const formatFull = ({ exhaustion, none, weak }: ForecastGroup, today: string): ExhaustionText => {
  if (exhaustion !== null) return formatExhaustion(exhaustion, today)
  if (weak !== null && weak.exhaustion !== null) {
    const { text, tone } = formatExhaustion(weak.exhaustion, today)
    return { text: `${text} (weak signal)`, tone: tone === 'warn' ? 'plain' : 'quiet' }
  }
  return { text: none === null ? 'no forecast' : noForecastText(none, today).text, tone: 'quiet' }
}

/** `+1.4`, `-3`, `0`: vGPUs to a tenth. */
export const formatGrowthPerWeek = (growth: number): string => {
  const tenths = Math.round(growth * 10) / 10
  return tenths > 0 ? `+${formatCount(tenths)}` : formatCount(tenths === 0 ? 0 : tenths)
}

/** The errors of past forecasts compared with the assumption that nothing changes, at the longest horizon. */
export const formatErrors = ({ errors }: ForecastGroup): string | null => {
  const last = errors.at(-1)
  if (last === undefined) return null
  const rival = Math.min(last.lastValue, last.lastWeek)
  return `${formatCount(last.forecast)} / ${formatCount(rival)} in ${last.days} d`
}
