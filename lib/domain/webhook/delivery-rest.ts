const FIRST_REST_MS = 10_000
const LONGEST_REST_MS = 3_600_000

/** After this time a delivery that nobody took is given up. */
export const GIVE_UP_AFTER_MS = 24 * 3_600_000

/** The receiver says that this very message is not wanted: later ones don't wait for it as long. */
const REFUSES_MESSAGE = [400, 413, 415, 422]
const MOST_REFUSALS = 5

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
  /** From the moment that it was queued, or sent again by hand. */
  waitedMs: number
  restMs: number
  /** What the receiver answered; null: nothing. */
  status: number | null
}): boolean =>
  waitedMs + restMs > GIVE_UP_AFTER_MS ||
  (status !== null && REFUSES_MESSAGE.includes(status) && tries >= MOST_REFUSALS)
