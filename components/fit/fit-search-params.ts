import { parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs'
import { FIT_GROUPS } from '@/lib/schemas/choices'

/** What the pages of a flavor and of a vGPU type keep in their address. */
export const fitSearchParams = {
  count: parseAsInteger,
  zone: parseAsString,
  q: parseAsString.withDefault(''),
  group: parseAsStringLiteral(FIT_GROUPS),
}
