import { parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs'
import { FIT_REASONS } from '@/lib/schemas/api/fit'

const GROUPS = ['fits', ...FIT_REASONS] as const

/** What the pages of a flavor and of a vGPU type keep in their address. */
export const fitSearchParams = {
  count: parseAsInteger,
  zone: parseAsString,
  q: parseAsString.withDefault(''),
  group: parseAsStringLiteral(GROUPS),
}
