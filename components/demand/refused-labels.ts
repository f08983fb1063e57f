import type { RefusedGroup } from '@/lib/schemas/api/refused-demand'

export type Reason = RefusedGroup['reason']

/** Why Nova made no server. */
export const REASON_LABELS: Readonly<Record<Reason, string>> = {
  'no-valid-host': 'no valid host',
  'over-limit': 'over a limit',
  'build-failed': 'failed to start on a host',
}
