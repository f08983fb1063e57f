import { parseAsBoolean, parseAsString, parseAsStringLiteral } from 'nuqs'
import { HOST_SORTS, HOST_STATES } from './arrange-hosts'

/** What the Hosts page keeps in its address. */
export const hostSearchParams = {
  q: parseAsString.withDefault(''),
  state: parseAsStringLiteral(HOST_STATES),
  sort: parseAsStringLiteral(HOST_SORTS).withDefault('name'),
  desc: parseAsBoolean.withDefault(false),
}
