import { parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs'
import { CATALOG_PURPOSES } from '@/lib/schemas/choices'

/** The search params of the catalog. */
export const catalogSearchParams = {
  view: parseAsStringLiteral(['cards', 'table'] as const).withDefault('cards'),
  q: parseAsString.withDefault(''),
  for: parseAsStringLiteral(CATALOG_PURPOSES),
  /** GiB of one GPU at least. */
  memory: parseAsInteger,
  /** Id of the flavor whose "how to get it" is open. */
  flavor: parseAsString,
}

export const NO_FILTER = { q: null, for: null, memory: null } as const
