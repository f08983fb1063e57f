const FIRST_REST_MS = 10_000
const LONGEST_REST_MS = 3_600_000

/** A delivery that was not accepted within this time is discarded. */
export const GIVE_UP_AFTER_MS = 24 * 3_600_000

/** The receiver refuses this single message, so later ones do not wait as long for it. */
const REFUSES_MESSAGE = [400, 413, 415, 422]
const MAX_REFUSALS = 5

/**
 * How long to wait after the `tries`-th try (from 1) failed, in ms: 10 s, doubled with each try, at most an hour, of which
 * the second half is left to chance so that receivers that come back are not met by everything at once. A longer
 * Retry-After is obeyed, up to a day. `random`: 0 ≤ random < 1.
 */
export const deliveryRestMs = ({
  tries,
  retryAfterSeconds,
  random,
}: {
  tries: number
  retryAfterSeconds: number | null
  random: number
}): number => {
  const wholeMs = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(tries - 1, 20))
  const ownMs = Math.round(wholeMs / 2 + (random * wholeMs) / 2)
  return Math.min(GIVE_UP_AFTER_MS, Math.max(ownMs, (retryAfterSeconds ?? 0) * 1000))
}

/** Whether a delivery is given up after a try that failed, instead of waiting `restMs` for another. */
export const isGivenUp = ({
  tries,
  waitedMs,
  restMs,
  status,
}: {
  tries: number
  /** From the time at which it was queued, or sent again manually. */
  waitedMs: number
  restMs: number
  /** What the receiver answered; null: nothing. */
  status: number | null
}): boolean =>
  waitedMs + restMs > GIVE_UP_AFTER_MS ||
  (status !== null && REFUSES_MESSAGE.includes(status) && tries >= MAX_REFUSALS)
