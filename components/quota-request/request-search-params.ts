import { parseAsString, parseAsStringLiteral } from 'nuqs'
import { REQUEST_GROUPS } from '@/lib/schemas/choices'

/** What the page of requests keeps in its address. */
export const requestSearchParams = {
  q: parseAsString.withDefault(''),
  group: parseAsStringLiteral(REQUEST_GROUPS),
}
