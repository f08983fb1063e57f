import { comparePositions, type Position } from '@/lib/schemas/agent/report'

/** Errors of the console's own to the oldest report before a newer one is tried as well. */
const TRIES = 5

/**
 * What to do after the console has failed on a report: send it again at once, send the one that `skip` names, or wait.
 */
type NextTry = 'again' | 'wait'

export type StuckReports = {
  /** How many waiting reports to pass over; 0 is the oldest. */
  skip: () => number
  /** The console answered 500 to this report, behind the oldest wait so many newer ones. */
  failed: (position: Position, newer: number) => NextTry
  /** Something else kept the report from being taken: the next try is the oldest's again. */
  interrupted: () => void
  /** A report was taken, and nothing before it waits any more. */
  cleared: () => void
}

/**
 * Keeps a report on which the console fails every time from holding up those behind it. A console that is broken fails on
 * every report, so nothing is given up until it has taken a newer one: after some tries each further one of the oldest is
 * followed by one of a newer, twice as far away each time. A single run has no later and does without the waits.
 */
export const createStuckReports = ({ isOnce }: { isOnce: boolean }): StuckReports => {
  let oldest: Position | null = null
  let tries = 0
  let maxSkip = 1
  let skip = 0

  const cleared = () => {
    oldest = null
    tries = 0
    maxSkip = 1
    skip = 0
  }

  const failedOnOldest = (position: Position, newer: number): NextTry => {
    if (oldest === null || comparePositions(oldest, position) !== 0) cleared()
    oldest = position
    tries += 1
    if (newer === 0) return 'wait'
    if (tries < TRIES) return isOnce ? 'again' : 'wait'
    skip = Math.min(maxSkip, newer)
    return 'again'
  }

  const failedOnNewer = (newer: number): NextTry => {
    const isFarthest = skip >= newer
    maxSkip = skip * 2
    skip = isOnce && !isFarthest ? Math.min(maxSkip, newer) : 0
    return skip === 0 ? 'wait' : 'again'
  }

  return {
    skip: () => skip,
    failed: (position, newer) => (skip === 0 ? failedOnOldest(position, newer) : failedOnNewer(newer)),
    interrupted: () => {
      skip = 0
    },
    cleared,
  }
}
