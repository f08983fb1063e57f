import { parseAsString, parseAsStringLiteral } from 'nuqs'
import type { AuditQuestion } from '@/lib/api/audit'
import { AUDIT_SUBJECTS } from '@/lib/schemas/choices'

/** What the Audit page keeps in its address. Days are of the reader's time zone, both inclusive. */
export const auditSearchParams = {
  who: parseAsString.withDefault(''),
  what: parseAsStringLiteral(AUDIT_SUBJECTS),
  on: parseAsString.withDefault(''),
  from: parseAsString,
  until: parseAsString,
}

export type AuditFilter = {
  who: string
  what: (typeof AUDIT_SUBJECTS)[number] | null
  on: string
  from: string | null
  until: string | null
}

export const NO_FILTER = { who: null, what: null, on: null, from: null, until: null } as const

/** Midnight at the start of a day, `days` later; null for what is no day. */
const midnight = (day: string | null, days = 0): string | null => {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? []
  if (year === undefined) return null
  return new Date(Number(year), Number(month) - 1, Number(date) + days).toISOString()
}

export const isNarrowed = ({ who, what, on, from, until }: AuditFilter): boolean =>
  who.trim() !== '' || on.trim() !== '' || what !== null || from !== null || until !== null

/** The filter as the server takes it. */
export const questionOf = (
  cloud: string | null,
  { who, what, on, from, until }: AuditFilter,
): AuditQuestion => ({
  cloud,
  who: who.trim() || null,
  what,
  on: on.trim() || null,
  from: midnight(from),
  until: midnight(until, 1),
})
