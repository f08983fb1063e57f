import { parseAsBoolean, parseAsString, parseAsStringLiteral } from 'nuqs'
import type { ListKind } from '@/lib/schemas/api/list-query'

/** What the page of a filtered and sorted list keeps in its address. `listChoice` reads it on the server. */
export const listSearchParams = <Sort extends string, State extends string>({
  sorts,
  states,
}: ListKind<Sort, State>) => ({
  q: parseAsString.withDefault(''),
  state: parseAsStringLiteral(states),
  sort: parseAsStringLiteral(sorts).withDefault(sorts[0]),
  desc: parseAsBoolean.withDefault(false),
})
