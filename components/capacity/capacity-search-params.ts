import { parseAsInteger, parseAsIsoDateTime, parseAsString, parseAsStringLiteral } from 'nuqs'

/** How the page splits capacity into series; that of one host is split by pGPU. */
export const CAPACITY_GROUPS = ['type', 'model', 'aggregate', 'flavor', 'project'] as const
export type CapacityGroup = (typeof CAPACITY_GROUPS)[number]

export const RANGE_DAYS = [7, 30, 90, 365] as const

/** The compared range: the one before, the same a year before, or one that begins at `compareFrom`. */
export const COMPARISONS = ['previous', 'year', 'own'] as const

/**
 * The search params of the capacity page. `from` and `until` (ISO 8601 UTC) fix the range, `host` and `address` select
 * one host or pGPU, `clock` is the time zone of the charts, and `zone` that of the hours of the week, if it differs.
 */
export const capacitySearchParams = {
  by: parseAsStringLiteral(CAPACITY_GROUPS).withDefault('type'),
  key: parseAsString,
  host: parseAsString,
  address: parseAsString,
  days: parseAsInteger.withDefault(30),
  from: parseAsIsoDateTime,
  until: parseAsIsoDateTime,
  compare: parseAsStringLiteral(COMPARISONS),
  compareFrom: parseAsIsoDateTime,
  zone: parseAsString,
  clock: parseAsString,
}
