import { parseAsBoolean, parseAsString, parseAsStringLiteral } from 'nuqs'
import { FLAVOR_SORTS, FLAVOR_STATES } from '@/lib/schemas/api/flavor'

/** What the Flavors page keeps in its address. */
export const flavorSearchParams = {
  q: parseAsString.withDefault(''),
  state: parseAsStringLiteral(FLAVOR_STATES),
  sort: parseAsStringLiteral(FLAVOR_SORTS).withDefault('name'),
  desc: parseAsBoolean.withDefault(false),
}
