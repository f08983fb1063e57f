import type { ChangeDetail } from '@/lib/schemas/api/change'
import { formatWholeMoment } from '@/lib/util/format'

/** A moment as the browser's own control takes it, in the zone, `UTC` or the reader's; empty for none. */
export const localMoment = (at: string | null, zone: string): string =>
  at === null ? '' : formatWholeMoment(new Date(at), zone).slice(0, 16).replace(' ', 'T')

/** The value of the control in the server's format; null for an invalid time. */
export const momentOf = (local: string, zone: string): string | null => {
  const moment = new Date(zone === 'UTC' ? `${local}Z` : local)
  return local === '' || Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}

/** Whether the change has any terms. */
export const isBound = ({ needsApproval, window, batchHosts }: ChangeDetail): boolean =>
  needsApproval || window !== null || batchHosts !== null
