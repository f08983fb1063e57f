import { parseAsArrayOf, parseAsBoolean, parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs'
import { listSearchParams } from '@/components/table/list-search-params'
import { CATALOG_LIST, CATALOG_PURPOSES } from '@/lib/schemas/choices'

/** The search params of the catalog. */
export const catalogSearchParams = {
  ...listSearchParams(CATALOG_LIST),
  for: parseAsStringLiteral(CATALOG_PURPOSES),
  /** GiB of one GPU at least. */
  memory: parseAsInteger,
  /** Ids of the flavors side by side. */
  compare: parseAsArrayOf(parseAsString).withDefault([]),
  /** The comparison shows only rows with different values. */
  differences: parseAsBoolean.withDefault(false),
  /** Id of the flavor whose "how to get it" is open. */
  flavor: parseAsString,
}

export const NO_FILTER = { q: null, state: null, for: null, memory: null } as const
