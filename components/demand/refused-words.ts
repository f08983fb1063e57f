import type { RefusedGroup } from '@/lib/schemas/api/refused-demand'

export type Reason = RefusedGroup['reason']

/** Why Nova made no server. */
export const REASON_WORDS: Readonly<Record<Reason, string>> = {
  'no-valid-host': 'no host could take it',
  'over-limit': 'over a limit',
  'build-failed': 'no host could start it',
}
