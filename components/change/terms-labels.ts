import type { ChangeDetail } from '@/lib/schemas/api/change'

/** A moment as the browser's own control takes it, in the reader's time zone; empty for none. */
export const localMoment = (at: string | null): string => {
  if (at === null) return ''
  const moment = new Date(at)
  const pad = (part: number): string => String(part).padStart(2, '0')
  const day = [moment.getFullYear(), pad(moment.getMonth() + 1), pad(moment.getDate())].join('-')
  return `${day}T${pad(moment.getHours())}:${pad(moment.getMinutes())}`
}

/** The value of the control in the server's format; null for an invalid time. */
export const momentOf = (local: string): string | null => {
  const moment = new Date(local)
  return local === '' || Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}

/** Whether the change has any terms. */
export const isBound = ({ needsApproval, window, batchHosts }: ChangeDetail): boolean =>
  needsApproval || window !== null || batchHosts !== null
