import { parseAsNativeArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs'
import { FINDING_SOURCES, FINDING_STATES } from '@/lib/schemas/choices'
import { SEVERITIES } from '@/lib/schemas/severity'

/** What the Findings page keeps in its address. The names are public: links from other pages and bookmarks use them. */
export const findingSearchParams = {
  q: parseAsString.withDefault(''),
  severity: parseAsNativeArrayOf(parseAsStringLiteral(SEVERITIES)),
  /** None means open. */
  state: parseAsNativeArrayOf(parseAsStringLiteral(FINDING_STATES)),
  host: parseAsNativeArrayOf(parseAsString),
  code: parseAsNativeArrayOf(parseAsString),
  sourceToCorrect: parseAsNativeArrayOf(parseAsStringLiteral(FINDING_SOURCES)),
}

/** Shows what is open, of everything. */
export const NO_FILTER = {
  q: null,
  severity: null,
  state: null,
  host: null,
  code: null,
  sourceToCorrect: null,
} as const
