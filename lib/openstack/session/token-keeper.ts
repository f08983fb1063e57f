import type { Token } from '../keystone/types'
import type { RequestMeter } from '../transport/types'

export type TokenKeeper = {
  /**
   * The stored token, or a new one if it is missing or about to expire. One request at a time, on the meter of the first
   * caller.
   */
  get: (meter?: RequestMeter) => Promise<Token>
  /** Forgets this token, unless another has taken its place. */
  drop: (token: Token) => void
}

/** Renewed when less than this is left, or less than a fifth of a token that lives shorter. */
const RENEW_BEFORE_MS = 5 * 60 * 1000

type CreateTokenKeeperInput = {
  authenticate: (meter: RequestMeter | undefined) => Promise<Token>
  /** Milliseconds of a clock that only goes forward. */
  monotonicMs?: () => number
}

/** Holds one token. Its age is measured here, by its own lifetime, so Keystone's clock may differ from ours. */
export const createTokenKeeper = ({
  authenticate,
  monotonicMs = () => performance.now(),
}: CreateTokenKeeperInput): TokenKeeper => {
  let held: { token: Token; renewAtMs: number } | null = null
  let pending: Promise<Token> | null = null

  const renew = async (meter: RequestMeter | undefined): Promise<Token> => {
    const startMs = monotonicMs()
    const token = await authenticate(meter)
    const lifeMs = token.remainingMs
    held = { token, renewAtMs: startMs + lifeMs - Math.min(RENEW_BEFORE_MS, lifeMs / 5) }
    return token
  }
  return {
    get: (meter) => {
      if (held !== null && monotonicMs() < held.renewAtMs) return Promise.resolve(held.token)
      pending ??= renew(meter).finally(() => {
        pending = null
      })
      return pending
    },
    drop: (token) => {
      if (held?.token === token) held = null
    },
  }
}
