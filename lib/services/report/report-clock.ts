/** When a report was taken and sent by the host's clock, and when it began to arrive by ours. */
type ReportTimes = {
  takenAt: Date
  /** The host's clock when it sent the report, which may have waited for days; null: the agent does not report it. */
  sentAt: Date | null
  receivedAt: Date
}

/** A message may be in transit for this long, and a clock that is behind by less cannot be distinguished from that. */
const MAX_TRANSIT_MS = 10_000
/** A smaller difference between a host's clock and ours is not reported. */
const TOLERANCE_MS = 5 * 60_000

/**
 * When a host took a report, by our clock, in ms: its own time, corrected by the error of its clock when it sent the report.
 * Without `sentAt` its time is taken as it is. Never after `receivedAt`.
 */
export const takenMoment = ({ takenAt, sentAt, receivedAt }: ReportTimes): number => {
  const aheadMs = sentAt === null ? 0 : sentAt.getTime() - receivedAt.getTime()
  const isOff = aheadMs > 0 || aheadMs < -MAX_TRANSIT_MS
  return Math.min(takenAt.getTime() - (isOff ? aheadMs : 0), receivedAt.getTime())
}

export type ClockProblem = { source: string; code: 'clock'; message: string }

/** Rounded, so that a clock that drifts does not change the stored problem with every report. */
const roughly = (ms: number): string => {
  const minutes = ms / 60_000
  if (minutes < 90) return `${Math.round(minutes / 5) * 5} minutes`
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} hours`
  return `${Math.round(minutes / 1440)} days`
}

/** What is wrong with a host's clock, or null. Without `sentAt` only a `takenAt` in the future shows it. */
export const clockProblem = ({ takenAt, sentAt, receivedAt }: ReportTimes): ClockProblem | null => {
  const reported = sentAt ?? (takenAt > receivedAt ? takenAt : receivedAt)
  const aheadMs = reported.getTime() - receivedAt.getTime()
  if (Math.abs(aheadMs) <= TOLERANCE_MS) return null
  const direction = aheadMs > 0 ? 'ahead of' : 'behind'
  return {
    source: 'clock',
    code: 'clock',
    message: `The host's clock is about ${roughly(Math.abs(aheadMs))} ${direction} the console's. Set it by NTP; the order of reports does not depend on it.`,
  }
}
