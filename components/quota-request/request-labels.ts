import type { RequestStatus } from '@/lib/domain/quota-request/request-status'
import type { QuotaLimit } from '@/lib/schemas/api/quota'
import { formatCount, formatWholeMoment } from '@/lib/util/format'

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

/** `2027-01-31` of a date field → the end of that day in the zone, `UTC` or the reader's; blank: permanent. */
export const untilOfDay = (text: string, zone: string): string | null =>
  text === '' ? null : new Date(`${text}T23:59:59${zone === 'UTC' ? 'Z' : ''}`).toISOString()

/** The day of a date field in the zone. */
export const dayOfUntil = (until: string | null, zone: string): string =>
  until === null ? '' : formatWholeMoment(new Date(until), zone).slice(0, 10)

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
