import { parseAsString, parseAsStringLiteral } from 'nuqs'

/** Which review is looked at before it is frozen. `zone` null: the console's time zone. */
export const reviewSearchParams = {
  period: parseAsString.withDefault(''),
  zone: parseAsString,
  by: parseAsStringLiteral(['all', 'type', 'model', 'aggregate']).withDefault('all'),
  key: parseAsString.withDefault(''),
}
