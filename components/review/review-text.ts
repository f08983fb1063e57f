import { formatTimes } from '@/components/shell/split-times'
import type { ReviewContent, ReviewContentV2 } from '@/lib/schemas/api/review-content'
import { formatCount } from '@/lib/util/format'
import { zonedClock } from '@/lib/util/zone-clock'
import { type SheetTexts, sheetTexts } from './sheet-texts'

type Period = Pick<ReviewContent['period'], 'kind' | 'name'>

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** `October 2026`, `Q4 2026`. */
export const periodTitle = ({ kind, name }: Period): string => {
  const [year = '', part = ''] = name.split('-')
  return kind === 'quarter' ? `${part} ${year}` : `${MONTHS[Number(part) - 1]} ${year}`
}

/** The period before: `September`, or with its year where that is another: `December 2025`, `Q3`. */
const beforeLabel = ({ kind, name }: Period): string => {
  const [year = '', part = ''] = name.split('-')
  const last = `${Number(year) - 1}`
  if (kind === 'quarter') return part === 'Q1' ? `Q4 ${last}` : `Q${Number(part.slice(1)) - 1}`
  return part === '01' ? `December ${last}` : (MONTHS[Number(part) - 2] ?? '')
}

const WEEKDAYS = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ')

const shortMonth = (month: number): string => MONTHS[month]?.slice(0, 3) ?? ''
const two = (value: number): string => String(value).padStart(2, '0')

/** What the clocks of a zone show, as a date of UTC. Its names are our own: those of the runtime change between versions. */
const clockIn = (at: string | number, timeZone: string): Date =>
  new Date(zonedClock(new Date(at).getTime(), timeZone))

const formatClock = (clock: Date): string => `${two(clock.getUTCHours())}:${two(clock.getUTCMinutes())}`

/** `17 Oct`. */
export const dayIn = (at: string | number, timeZone: string): string => {
  const clock = clockIn(at, timeZone)
  return `${clock.getUTCDate()} ${shortMonth(clock.getUTCMonth())}`
}

/** `Thu 29 Oct, 15:00`, by the clocks of the zone. */
export const hourIn = (at: string, timeZone: string): string => {
  const clock = clockIn(at, timeZone)
  return `${WEEKDAYS[clock.getUTCDay()]} ${dayIn(at, timeZone)}, ${formatClock(clock)}`
}

/** `2026-11-02 09:00`, by the clocks of the zone. */
export const momentIn = (at: string, timeZone: string): string => {
  const clock = clockIn(at, timeZone)
  return `${clock.toISOString().slice(0, 10)} ${formatClock(clock)}`
}

/** A sentence with its moments by the clocks of the zone. */
export const sentenceIn = (sentence: string, timeZone: string): string =>
  formatTimes(sentence, (moment) => momentIn(moment, timeZone))

/** `12 Oct 2026` of a day `2026-10-12`. */
const formatDay = (day: string): string => `${dayIn(day, 'UTC')} ${day.slice(0, 4)}`

/** The begin of a fingerprint, as people compare it: `f3c1 88a0 5e27`. */
export const shortFingerprint = (fingerprint: string): string =>
  (fingerprint.slice(0, 12).match(/.{4}/g) ?? []).join(' ')

const FILTER_NOUNS = { type: 'vGPU type', model: 'model', aggregate: 'aggregate' } as const

/** `all models`, `vGPU type A40-24Q`. */
export const filterLabel = ({ by, label, key }: ReviewContent['filter']): string =>
  by === 'all' ? 'all models' : `${FILTER_NOUNS[by]} ${label || key || 'unknown'}`

/** Until version 2 the last known capacity was a separate number; since then the capacity includes it. */
const totalOf = (totals: NonNullable<ReviewContent['end']>): number =>
  totals.capacity + ('unseen' in totals ? totals.unseen : 0)

/** What the capacity at the end leaves out, or includes from hosts without data. */
export const unseenNote = (
  end: NonNullable<ReviewContent['end']>,
  { unseen, lastKnown }: SheetTexts,
): string | null => {
  if ('unseen' in end) return end.unseen === 0 ? null : unseen(end.unseen)
  if (end.lastKnown === null || end.lastKnown.capacity === 0) return null
  return lastKnown(end.lastKnown.capacity, end.lastKnown.hosts)
}

/** `8 more than in September`; null: nothing is known of then. */
export const formatGrowth = ({
  before,
  end,
  period,
}: Pick<ReviewContent, 'before' | 'end' | 'period'>): string | null => {
  if (before === null || end === null) return null
  const more = totalOf(end) - totalOf(before)
  const then = `in ${beforeLabel(period)}`
  if (more === 0) return `as many as ${then}`
  return `${formatCount(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than ${then}`
}

type Full = ReviewContent['types']['rows'][number]['full']

const monthOf = (day: string): string => `${shortMonth(Number(day.slice(5, 7)) - 1)} ${day.slice(0, 4)}`

/** When a type is full, in a few words, and how urgent that is. */
export const formatFull = (full: Full): { words: string; tone: 'bad' | 'warn' | 'plain' | 'muted' } => {
  switch (full.kind) {
    case 'full':
      return { words: `since ${formatDay(full.since)}`, tone: 'bad' }
    case 'dated': {
      const [from, until] = [monthOf(full.earliest), full.latest === null ? null : monthOf(full.latest)]
      if (until === null) return { words: `from ${from} on`, tone: 'warn' }
      return { words: from === until ? from : `${from} to ${until}`, tone: 'warn' }
    }
    case 'after':
      return { words: `after ${monthOf(full.day)}`, tone: 'plain' }
    case 'not-growing':
      return { words: 'not growing', tone: 'muted' }
    case 'unknown':
      return { words: full.because, tone: 'muted' }
  }
}

/** `+22`, `-6`. */
export const signed = (value: number): string => {
  const whole = Math.round(value)
  return whole > 0 ? `+${formatCount(whole)}` : formatCount(whole)
}

/** What a reader has to know to read the numbers right. */
export const footLines = ({ version, period, hours, filter }: ReviewContent): string[] => {
  const { watched, wholeCloud } = sheetTexts({ version })
  return [`Times in ${period.timeZone}.`, watched(hours), ...(filter.by === 'all' ? [] : [wholeCloud])]
}

type TypeRow = ReviewContent['types']['rows'][number]

/** The peak of a type's last week; undefined: an older review, whose sheet shows the use at the end instead. */
export const peakOf = (row: TypeRow): number | null | undefined => ('peak' in row ? row.peak : undefined)

/** What follows `21 more types`: `, 2 of them full too`; empty on sheets that did not count them. */
export const othersText = (
  { othersFull, othersDated }: Pick<ReviewContentV2['types'], 'othersFull' | 'othersDated'>,
  { fullToo }: Pick<SheetTexts, 'fullToo'>,
): string => {
  if (othersFull === undefined || othersDated === undefined) return ''
  const parts = [
    othersFull === 0 ? [] : [fullToo(othersFull)],
    othersDated === 0 ? [] : [`${formatCount(othersDated)} ${othersFull === 0 ? 'of them ' : ''}with a date`],
  ].flat()
  return parts.length === 0 ? ', none of them full' : `, ${parts.join(' and ')}`
}
