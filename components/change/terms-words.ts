import type { ChangeDetail } from '@/lib/schemas/api/change'

/** A moment as the browser's own control takes it, in the reader's time zone; empty for none. */
export const localMoment = (at: string | null): string => {
  if (at === null) return ''
  const moment = new Date(at)
  const pad = (part: number): string => String(part).padStart(2, '0')
  const day = [moment.getFullYear(), pad(moment.getMonth() + 1), pad(moment.getDate())].join('-')
  return `${day}T${pad(moment.getHours())}:${pad(moment.getMinutes())}`
}

/** What the control says, as the server takes it; null for what is no moment. */
export const momentOf = (local: string): string | null => {
  const moment = new Date(local)
  return local === '' || Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}

/** Whether anything binds the change beside its plan. */
export const isBound = ({ needsApproval, window, batchHosts }: ChangeDetail): boolean =>
  needsApproval || window !== null || batchHosts !== null
