import { parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs'

/** What the page tells series apart by; hosts and pGPUs have their history on their own pages. */
export const CAPACITY_GROUPS = ['type', 'model', 'aggregate', 'flavor', 'project'] as const
export type CapacityGroup = (typeof CAPACITY_GROUPS)[number]

export const RANGE_DAYS = [7, 30, 90, 365] as const

/** What the page of the capacity keeps in its address. `from` and `until` (ISO 8601 UTC) hold it still. */
export const capacitySearchParams = {
  by: parseAsStringLiteral(CAPACITY_GROUPS).withDefault('type'),
  key: parseAsString,
  days: parseAsInteger.withDefault(30),
  from: parseAsString,
  until: parseAsString,
}
