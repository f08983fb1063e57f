export type BackOffOptions = {
  /** Upper edge of the first wait; doubles with each failure. */
  baseMs: number
  capMs: number
  /** 0 ≤ random() < 1. */
  random: () => number
}

export type BackOff = { nextMs: () => number; reset: () => void }

/**
 * Waits for retries with full jitter: any time between 0 and an edge that doubles up to the cap, so that thousands of
 * agents do not come back in step.
 */
export const createBackOff = ({ baseMs, capMs, random }: BackOffOptions): BackOff => {
  let failures = 0
  return {
    nextMs: () => {
      const edge = Math.min(capMs, baseMs * 2 ** Math.min(failures, 30))
      failures += 1
      return Math.floor(random() * edge)
    },
    reset: () => {
      failures = 0
    },
  }
}
