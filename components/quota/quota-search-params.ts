import { parseAsArrayOf, parseAsBoolean, parseAsString, parseAsStringLiteral } from 'nuqs'
import { QUOTA_SORTS, QUOTA_STATES } from '@/lib/schemas/choices'

/** What the Quotas page keeps in its address. */
export const quotaSearchParams = {
  q: parseAsString.withDefault(''),
  classes: parseAsArrayOf(parseAsString).withDefault([]),
  all: parseAsBoolean.withDefault(false),
  idle: parseAsBoolean.withDefault(false),
  state: parseAsStringLiteral(QUOTA_STATES),
  sort: parseAsStringLiteral(QUOTA_SORTS).withDefault('use'),
  desc: parseAsBoolean.withDefault(false),
  /** The row whose project's history is open. */
  history: parseAsString,
}
