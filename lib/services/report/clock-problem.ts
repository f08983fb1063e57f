/** A host's clock may differ from ours by this much before it is worth a word. */
const TOLERANCE_MS = 5 * 60_000

export type ClockProblem = { source: string; code: 'clock'; message: string }

/** Rounded, so that a clock that drifts does not change the stored problem with every report. */
const roughly = (ms: number): string => {
  const minutes = ms / 60_000
  if (minutes < 90) return `${Math.round(minutes / 5) * 5} minutes`
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} hours`
  return `${Math.round(minutes / 1440)} days`
}

/**
 * What is wrong with a host's clock, or null. `sentAt` is the host's clock when it sent the report; a report may have
 * waited on the host for days, so without `sentAt` only a `takenAt` in the future tells something.
 */
export const clockProblem = ({
  takenAt,
  sentAt,
  receivedAt,
}: {
  takenAt: Date
  sentAt: Date | null
  receivedAt: Date
}): ClockProblem | null => {
  const told = sentAt ?? (takenAt > receivedAt ? takenAt : receivedAt)
  const aheadMs = told.getTime() - receivedAt.getTime()
  if (Math.abs(aheadMs) <= TOLERANCE_MS) return null
  const direction = aheadMs > 0 ? 'ahead of' : 'behind'
  return {
    source: 'clock',
    code: 'clock',
    message: `The host's clock is about ${roughly(Math.abs(aheadMs))} ${direction} the console's. Set it by NTP; the order of reports does not depend on it.`,
  }
}
