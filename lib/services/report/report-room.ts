import { AgentError } from '@/lib/server/agent-api/agent-error'

/** Longest wait that is told, and the one of a console that has finished nothing yet. */
const LONGEST_SECONDS = 5
const COUNTED_MS = 500

export type ReportRoom = {
  /** Refuses where there is no place now; to be asked before a body is read, which may take its sender long. */
  check: () => void
  /** A place for one report whose body is there; to be given back once it is committed or refused. */
  enter: () => () => void
}

/**
 * Room for so many reports at once, from their last byte to their commit. Who finds none is refused before anything of the
 * report is parsed, so that a rush costs the console little, and told to come when the others are through at the present
 * pace.
 */
export const createReportRoom = ({
  most,
  nowMs = () => performance.now(),
}: {
  most: number
  nowMs?: () => number
}): ReportRoom => {
  let inside = 0
  let left = 0
  let countedSinceMs = nowMs()
  let perSecond = 0

  const leave = (): void => {
    inside -= 1
    left += 1
    const passedMs = nowMs() - countedSinceMs
    if (passedMs < COUNTED_MS) return
    perSecond = (left * 1000) / passedMs
    left = 0
    countedSinceMs += passedMs
  }

  const check = (): void => {
    if (inside < most) return
    const seconds = Math.ceil(most / Math.max(perSecond, most / LONGEST_SECONDS))
    throw new AgentError(
      'overloaded',
      `${most} reports are being read and written, and no more are taken. Send the report again in ${seconds} s.`,
      { retryAfterSeconds: seconds },
    )
  }

  return {
    check,
    enter: () => {
      check()
      inside += 1
      let isInside = true
      return () => {
        if (isInside) leave()
        isInside = false
      }
    },
  }
}
