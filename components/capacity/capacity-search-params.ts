import { parseAsInteger, parseAsIsoDateTime, parseAsString, parseAsStringLiteral } from 'nuqs'

/** What the page tells series apart by; of one host its pGPUs are told apart. */
export const CAPACITY_GROUPS = ['type', 'model', 'aggregate', 'flavor', 'project'] as const
export type CapacityGroup = (typeof CAPACITY_GROUPS)[number]

export const RANGE_DAYS = [7, 30, 90, 365] as const

/** Which other range stands beside: the one before, the same a year before, or one that begins at `compareFrom`. */
export const COMPARISONS = ['previous', 'year', 'own'] as const

/**
 * What the page of the capacity keeps in its address. `from` and `until` (ISO 8601 UTC) hold it still, `host` and `address` look at
 * one host or pGPU, `clock` is whose clocks the charts go by, and the hours of the week, unless `zone`
 * names others for these.
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
