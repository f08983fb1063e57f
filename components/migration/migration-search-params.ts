import { parseAsString, parseAsStringLiteral } from 'nuqs'

/** What the Live migration page keeps in its address. */
export const migrationSearchParams = {
  /** Null: the type that most hosts carry. */
  type: parseAsString,
  q: parseAsString.withDefault(''),
  by: parseAsStringLiteral(['host', 'kind'] as const).withDefault('host'),
  /** Hosts of the chosen cell. */
  from: parseAsString,
  to: parseAsString,
}
