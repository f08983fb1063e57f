import { parseAsString, parseAsStringLiteral } from 'nuqs'
import { REVIEW_FILTERS } from '@/lib/schemas/states'

/** The review that is previewed before it is final. `zone` null: the console's time zone. */
export const reviewSearchParams = {
  period: parseAsString.withDefault(''),
  zone: parseAsString,
  by: parseAsStringLiteral(REVIEW_FILTERS).withDefault('all'),
  key: parseAsString.withDefault(''),
}
