import { AgentError } from '@/lib/server/errors/agent-error'

/** At the pace of late a report is through so soon after it was let in: well before its sender takes no answer for none (30 s). */
const INSIDE_SECONDS = 5
/** Places that are there at every pace. */
const MIN_SLOTS = 128
/** With this many admitted reports the console is busy: only then the rate of completed reports is measured. */
const BUSY_SLOTS = 32
const COUNTED_MS = 500
/** The pace of a console that was not busy yet: about what two cores take. */
const FIRST_PER_SECOND = 1000
/** Longest retry delay. */
const LONGEST_SECONDS = 60

export type ReportAdmission = {
  /** Refuses where there is no place now; to be asked before a body is read, which may take its sender long. */
  check: () => void
  /** A place for one report whose body is there; to be given back once it is committed or refused. */
  enter: () => () => void
}

/** How many leave in a second while many are inside. */
const createPace = ({ busySlots, nowMs }: { busySlots: number; nowMs: () => number }) => {
  let perSecond = FIRST_PER_SECOND
  let left = 0
  let busySinceMs: number | null = null
  const begin = () => {
    busySinceMs = nowMs()
    left = 0
  }
  return {
    perSecond: () => perSecond,
    entered: (inside: number): void => {
      if (busySinceMs === null && inside >= busySlots) begin()
    },
    left: (inside: number): void => {
      if (busySinceMs === null) return
      left += 1
      const passedMs = nowMs() - busySinceMs
      if (passedMs >= COUNTED_MS) {
        // Half of what was known before: one pause of the machine is no pace.
        perSecond = Math.max(1, (perSecond + (left * 1000) / passedMs) / 2)
        begin()
      }
      if (inside < busySlots) busySinceMs = null
    },
  }
}

/**
 * Admission of reports from their last byte to their commit: as many as the console completes in some seconds at the
 * current rate, at most `max`. A further report is refused before it is parsed, so that a rush is cheap, and gets a
 * retry time. Refused agents come back one after the other, at the rate at which reports are completed, and not all at
 * once.
 */
export const createReportAdmission = ({
  max,
  nowMs = () => performance.now(),
}: {
  max: number
  nowMs?: () => number
}): ReportAdmission => {
  const pace = createPace({ busySlots: Math.min(BUSY_SLOTS, Math.ceil(max / 2)), nowMs })
  let inside = 0
  let lastTurnMs = 0

  const slots = (): number => Math.min(max, Math.max(MIN_SLOTS, Math.ceil(pace.perSecond() * INSIDE_SECONDS)))

  /** The seconds after which half of the capacity is free and all agents with an earlier retry time have come. */
  const nextTurnSeconds = (): number => {
    const at = nowMs()
    const eachMs = 1000 / pace.perSecond()
    const nextMs = Math.max(lastTurnMs, at + (inside / 2) * eachMs) + eachMs
    lastTurnMs = Math.min(nextMs, at + LONGEST_SECONDS * 1000)
    return Math.ceil((lastTurnMs - at) / 1000)
  }

  const check = (): void => {
    if (inside < slots()) return
    const seconds = nextTurnSeconds()
    throw new AgentError(
      'overloaded',
      `${inside} reports are being read and written, and no more are taken. Send the report again in ${seconds} s.`,
      { retryAfterSeconds: seconds },
    )
  }

  return {
    check,
    enter: () => {
      check()
      inside += 1
      pace.entered(inside)
      let isInside = true
      return () => {
        if (!isInside) return
        isInside = false
        inside -= 1
        pace.left(inside)
      }
    },
  }
}
