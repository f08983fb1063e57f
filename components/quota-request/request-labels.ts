import type { RequestStatus } from '@/lib/domain/quota-request/request-status'
import type { QuotaLimit } from '@/lib/schemas/api/quota'
import { formatCount } from '@/lib/util/format'

type Tone = 'quiet' | 'accent' | 'warn'

/** The status of a request for admins. */
export const REQUEST_STATE_TAGS: Readonly<Record<RequestStatus, { word: string; tone: Tone }>> = {
  open: { word: 'open', tone: 'accent' },
  writing: { word: 'being applied', tone: 'quiet' },
  unwritten: { word: 'open, not applied', tone: 'warn' },
  reverted: { word: 'open, reverted', tone: 'warn' },
  granted: { word: 'granted', tone: 'quiet' },
  ending: { word: 'being reverted', tone: 'quiet' },
  ended: { word: 'ended', tone: 'quiet' },
  left: { word: 'not reverted', tone: 'warn' },
  declined: { word: 'declined', tone: 'quiet' },
  withdrawn: { word: 'withdrawn', tone: 'quiet' },
}

/** `2027-01-31` of a date field → the end of that day where the reader is; blank: permanent. */
export const untilOfDay = (text: string): string | null =>
  text === '' ? null : new Date(`${text}T23:59:59`).toISOString()

const twoDigits = (part: number): string => String(part).padStart(2, '0')

/** The day of a date field. */
export const dayOfUntil = (until: string | null): string => {
  if (until === null) return ''
  const day = new Date(until)
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`
}

/** Null: not known. */
const numberOf = (limit: QuotaLimit | null): number | null => (limit?.kind === 'number' ? limit.value : null)

/** Allocated quota after a request is approved; null: not known. */
export const promisedAfter = ({
  limit,
  promised,
  value,
}: {
  limit: QuotaLimit | null
  promised: number | null
  value: number
}): number | null => {
  const now = numberOf(limit)
  return now === null || promised === null ? null : promised - Math.max(0, now) + value
}

export const formatValue = (value: number | null): string =>
  value === null ? 'the default' : formatCount(value)
